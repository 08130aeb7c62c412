import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Jobs that are done later, by any instance: mails and what leads to them. */
export class Jobs1763730000000 implements MigrationInterface {
  readonly name = 'Jobs1763730000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE "service_jobs"`);
  }
}

const UP = [
  `CREATE TABLE "service_jobs" (
    "id" uuid NOT NULL,
    "queue" varchar(32) NOT NULL,
    "key" varchar(64),
    "content" text NOT NULL,
    "attempts" integer NOT NULL DEFAULT 0,
    "claim" uuid,
    "next_try" timestamptz(3) NOT NULL DEFAULT now(),
    "last_fault" varchar(255),
    "expires_at" timestamptz(3) NOT NULL,
    "created_at" timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT "pk_service_jobs" PRIMARY KEY ("id")
  )`,
  `CREATE INDEX "service_jobs_next" ON "service_jobs" ("queue", "next_try")`,
  `CREATE UNIQUE INDEX "service_jobs_key" ON "service_jobs" ("queue", "key") WHERE "key" IS NOT NULL`,
];
