import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Indexes for pages of many users, and for the start, which looks through their hashes and secrets. */
export class ManyUsers1763741000000 implements MigrationInterface {
  readonly name = 'ManyUsers1763741000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await queryRunner.query(statement);
  }
}

/** The ids of more users do not fit into a message. */
const NAMED = 202;

const UNHEARD = "'{last_access,password}'::text[]";

const named = (rows: string): string => `
  SELECT string_agg(named.id, ' ') INTO words
  FROM (SELECT DISTINCT id::text AS id FROM ${rows} LIMIT ${NAMED + 1}) named;`;

/** @param early a branch that comes before what compares the users one by one */
const tellUsers = (early: string): string => `
  CREATE OR REPLACE FUNCTION "service_tell_users"() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE words text;
  BEGIN
    IF TG_OP = 'TRUNCATE' THEN words := '*';
    ${early}
    ELSIF TG_OP = 'UPDATE' THEN ${named(`was FULL JOIN touched USING (id)
      WHERE to_jsonb(was) - ${UNHEARD} IS DISTINCT FROM to_jsonb(touched) - ${UNHEARD}`)}
    ELSE ${named('touched')}
    END IF;
    IF words IS NULL THEN RETURN NULL; END IF;
    IF octet_length(words) > 7500 THEN words := '*'; END IF;
    PERFORM pg_catalog.pg_notify('doorward', 'sql ' || words);
    PERFORM pg_catalog.set_config('doorward.told', 'yes', true);
    RETURN NULL;
  END $$`;

/** Deleting a role changes all its users by one statement: that they are too many is seen without reading them. */
const TOO_MANY = `ELSIF (SELECT count(*) FROM (SELECT FROM touched LIMIT ${NAMED + 1}) few) > ${NAMED} THEN words := '*';`;

/** The key is the last column of every sort. */
const PAGES = ['role', 'status', 'email', 'last_name', 'date_created'];

const UP = [
  tellUsers(TOO_MANY),
  `DROP INDEX "ix_service_users_role"`,
  ...PAGES.map(
    (column) => `CREATE INDEX "service_users_by_${column}" ON "service_users" ("${column}", "id")`,
  ),
  `CREATE INDEX "service_users_cost" ON "service_users" (substring("password" FROM '^\\$2[aby]\\$(\\d\\d)\\$'))`,
  `CREATE INDEX "service_users_tfa_key" ON "service_users" (split_part("tfa_secret", '.', 1)) WHERE "tfa_secret" IS NOT NULL`,
];

const DOWN = [
  tellUsers(''),
  `DROP INDEX "service_users_tfa_key"`,
  `DROP INDEX "service_users_cost"`,
  ...PAGES.map((column) => `DROP INDEX "service_users_by_${column}"`),
  `CREATE INDEX "ix_service_users_role" ON "service_users" ("role")`,
];
