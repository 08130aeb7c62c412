import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Marks the roles, policies, rules and access that a module provides, and stores the rules as last applied. */
export class ManagedRules1763752000000 implements MigrationInterface {
  readonly name = 'ManagedRules1763752000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(MANAGED_RULES);
    for (const table of TABLES)
      await queryRunner.query(`ALTER TABLE "${table}" ADD "managed" varchar(64)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES)
      await queryRunner.query(`ALTER TABLE "${table}" DROP COLUMN "managed"`);
    await queryRunner.query('DROP TABLE "service_managed_rules"');
  }
}

const TABLES = ['service_roles', 'service_policies', 'service_access', 'service_permissions'];

const MANAGED_RULES = `CREATE TABLE "service_managed_rules" (
  "key" varchar(64) NOT NULL,
  "version" integer NOT NULL,
  "content" text NOT NULL,
  CONSTRAINT "pk_service_managed_rules" PRIMARY KEY ("key")
)`;
