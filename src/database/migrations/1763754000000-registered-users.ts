import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tells users who have registered themselves from those whom somebody has created as unverified. */
export class RegisteredUsers1763754000000 implements MigrationInterface {
  readonly name = 'RegisteredUsers1763754000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE "service_users" ADD "registered" boolean NOT NULL DEFAULT false`,
    );
    await queryRunner.query(
      `UPDATE "service_users" SET "registered" = true WHERE "status" = 'unverified' AND "id" IN (SELECT "user" FROM "service_registrations")`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "service_users" DROP COLUMN "registered"`);
  }
}
