import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Pending registrations, until they are confirmed. */
export class Registrations1763742000000 implements MigrationInterface {
  readonly name = 'Registrations1763742000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE "service_registrations"`);
  }
}

const UP = [
  `CREATE TABLE "service_registrations" (
    "id" uuid NOT NULL,
    "user" uuid NOT NULL,
    "password" varchar(255) NOT NULL,
    "first_name" varchar(255),
    "last_name" varchar(255),
    "url" text NOT NULL,
    "created_at" timestamptz(3) NOT NULL DEFAULT now(),
    "expires_at" timestamptz(3) NOT NULL,
    CONSTRAINT "pk_service_registrations" PRIMARY KEY ("id"),
    CONSTRAINT "fk_service_registrations_user" FOREIGN KEY ("user") REFERENCES "service_users"("id") ON DELETE CASCADE
  )`,
  `CREATE INDEX "ix_service_registrations_user" ON "service_registrations" ("user")`,
  `CREATE INDEX "ix_service_registrations_expires_at" ON "service_registrations" ("expires_at")`,
];
