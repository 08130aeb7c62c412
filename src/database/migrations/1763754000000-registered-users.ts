import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Tells users who have registered themselves from those whom somebody has created as unverified. Of existing ones that is
 * unknown: none counts as registered.
 */
export class RegisteredUsers1763754000000 implements MigrationInterface {
  readonly name = 'RegisteredUsers1763754000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE "service_users" ADD "registered" boolean NOT NULL DEFAULT false`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "service_users" DROP COLUMN "registered"`);
  }
}
