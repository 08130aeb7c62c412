import type { MigrationInterface, QueryRunner } from 'typeorm';

/** One-time passwords and recovery codes. Secrets are sealed from now on; unsealed ones are dropped. */
export class TwoFactor1763733000000 implements MigrationInterface {
  readonly name = 'TwoFactor1763733000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await queryRunner.query(statement);
  }
}

const UP = [
  `CREATE TABLE "service_two_factor" (
    "user" uuid NOT NULL,
    "last_step" integer NOT NULL,
    "recovery_codes" text,
    CONSTRAINT "pk_service_two_factor" PRIMARY KEY ("user")
  )`,
  `CREATE TABLE "service_two_factor_offers" (
    "session" uuid NOT NULL,
    "secret" text NOT NULL,
    "created_at" timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT "pk_service_two_factor_offers" PRIMARY KEY ("session")
  )`,
  `ALTER TABLE "service_two_factor" ADD CONSTRAINT "fk_service_two_factor_user" FOREIGN KEY ("user") REFERENCES "service_users"("id") ON DELETE CASCADE`,
  `CREATE INDEX "ix_service_two_factor_offers_created_at" ON "service_two_factor_offers" ("created_at")`,
  `UPDATE "service_users" SET "tfa_secret" = NULL WHERE "tfa_secret" IS NOT NULL`,
];

const DOWN = [`DROP TABLE "service_two_factor_offers"`, `DROP TABLE "service_two_factor"`];
