import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Each rotation of a token has its own time; addresses are compared by the same folding of letters on every server. */
export class SignIn1763720000000 implements MigrationInterface {
  readonly name = 'SignIn1763720000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await queryRunner.query(statement);
  }
}

const UP = [
  `ALTER TABLE "service_sessions" ADD "rotations" timestamptz[] NOT NULL DEFAULT '{}'`,
  `UPDATE "service_sessions" SET "rotations" = ARRAY["rotated_at"] WHERE "generation" > 0`,
  `ALTER TABLE "service_sessions" DROP COLUMN "rotated_at"`,
  `DROP INDEX "service_users_email"`,
  `CREATE UNIQUE INDEX "service_users_email" ON "service_users" (lower("email" COLLATE "und-x-icu"))`,
];

const DOWN = [
  `DROP INDEX "service_users_email"`,
  `CREATE UNIQUE INDEX "service_users_email" ON "service_users" (lower("email"))`,
  `ALTER TABLE "service_sessions" ADD "rotated_at" timestamptz(3) NOT NULL DEFAULT now()`,
  `UPDATE "service_sessions" SET "rotated_at" = "rotations"[1] WHERE "generation" > 0 AND "rotations" <> '{}'`,
  `ALTER TABLE "service_sessions" DROP COLUMN "rotations"`,
];
