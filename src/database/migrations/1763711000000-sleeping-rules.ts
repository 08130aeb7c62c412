import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Rules record the marks of the columns that they name; a table records the place of each mark. */
export class SleepingRules1763711000000 implements MigrationInterface {
  readonly name = 'SleepingRules1763711000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await queryRunner.query(statement);
  }
}

const UP = [
  `CREATE TABLE "service_marks" (
    "mark" varchar(32) NOT NULL,
    "collection" text NOT NULL,
    "field" text NOT NULL,
    "path" text NOT NULL,
    "column" text NOT NULL,
    "relation" bigint NOT NULL,
    "number" integer NOT NULL,
    "commented" boolean NOT NULL,
    CONSTRAINT "pk_service_marks" PRIMARY KEY ("mark")
  )`,
  `ALTER TABLE "service_permissions" ADD "marks" jsonb NOT NULL DEFAULT '{}'`,
  `ALTER TABLE "service_permissions" ADD "asleep" boolean NOT NULL DEFAULT false`,
];

const DOWN = [
  `ALTER TABLE "service_permissions" DROP COLUMN "asleep"`,
  `ALTER TABLE "service_permissions" DROP COLUMN "marks"`,
  `DROP TABLE "service_marks"`,
];
