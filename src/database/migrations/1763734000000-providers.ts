import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which sign-ins by external providers have come back already. */
export class Providers1763734000000 implements MigrationInterface {
  readonly name = 'Providers1763734000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE "service_used_attempts"`);
  }
}

const UP = [
  `CREATE TABLE "service_used_attempts" (
    "state_hash" character varying(64) NOT NULL,
    "expires_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
    CONSTRAINT "pk_service_used_attempts" PRIMARY KEY ("state_hash"))`,
  `CREATE INDEX "ix_service_used_attempts_expires_at" ON "service_used_attempts" ("expires_at")`,
];
