import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Counters of attempts. Unlogged: none lives longer than minutes, and counting must not wait for a disk; after a crash
 * of the server they begin anew. `auth_login_attempts` may be null: no limit.
 */
export class Limits1763732000000 implements MigrationInterface {
  readonly name = 'Limits1763732000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE UNLOGGED TABLE "service_limits" (
      "key" varchar(64) NOT NULL,
      "points" integer NOT NULL,
      "expire" bigint,
      CONSTRAINT "pk_service_limits" PRIMARY KEY ("key")
    )`);
    await queryRunner.query(
      `ALTER TABLE "service_settings" ALTER COLUMN "auth_login_attempts" DROP NOT NULL`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `UPDATE "service_settings" SET "auth_login_attempts" = 20 WHERE "auth_login_attempts" IS NULL`,
    );
    await queryRunner.query(
      `ALTER TABLE "service_settings" ALTER COLUMN "auth_login_attempts" SET NOT NULL`,
    );
    await queryRunner.query(`DROP TABLE "service_limits"`);
  }
}
