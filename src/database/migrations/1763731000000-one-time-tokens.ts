import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tokens that are mailed and can be used once. */
export class OneTimeTokens1763731000000 implements MigrationInterface {
  readonly name = 'OneTimeTokens1763731000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE "service_one_time_tokens"`);
  }
}

const UP = [
  `CREATE TABLE "service_one_time_tokens" (
    "hash" varchar(64) NOT NULL,
    "purpose" varchar(32) NOT NULL,
    "user" uuid NOT NULL,
    "bound" varchar(64) NOT NULL,
    "created_at" timestamptz(3) NOT NULL DEFAULT now(),
    "expires_at" timestamptz(3) NOT NULL,
    CONSTRAINT "pk_service_one_time_tokens" PRIMARY KEY ("hash"),
    CONSTRAINT "fk_service_one_time_tokens_user" FOREIGN KEY ("user") REFERENCES "service_users"("id") ON DELETE CASCADE
  )`,
  `CREATE INDEX "ix_service_one_time_tokens_expires_at" ON "service_one_time_tokens" ("expires_at")`,
  `CREATE INDEX "ix_service_one_time_tokens_purpose_user" ON "service_one_time_tokens" ("user", "purpose")`,
];
