import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Removes the key by which only one of several equal jobs would wait: nothing used it. */
export class JobsWithoutKeys1763751000000 implements MigrationInterface {
  readonly name = 'JobsWithoutKeys1763751000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "service_jobs" DROP COLUMN "key"`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "service_jobs" ADD "key" varchar(64)`);
    await queryRunner.query(
      `CREATE UNIQUE INDEX "service_jobs_key" ON "service_jobs" ("queue", "key") WHERE "key" IS NOT NULL`,
    );
  }
}
