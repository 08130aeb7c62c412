import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The log records the reason for which the service acted by itself. */
export class SystemWrites1763750000000 implements MigrationInterface {
  readonly name = 'SystemWrites1763750000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "service_activity" ADD "system" varchar(255)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "service_activity" DROP COLUMN "system"`);
  }
}
