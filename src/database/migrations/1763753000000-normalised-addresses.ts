import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Addresses that differ only in how their letters are encoded (full width, separate accents) count as the same. */
export class NormalisedAddresses1763753000000 implements MigrationInterface {
  readonly name = 'NormalisedAddresses1763753000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX "service_users_email"`);
    await queryRunner.query(
      `CREATE UNIQUE INDEX "service_users_email" ON "service_users" (lower(normalize("email", NFKC) COLLATE "und-x-icu"))`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX "service_users_email"`);
    await queryRunner.query(
      `CREATE UNIQUE INDEX "service_users_email" ON "service_users" (lower("email" COLLATE "und-x-icu"))`,
    );
  }
}
