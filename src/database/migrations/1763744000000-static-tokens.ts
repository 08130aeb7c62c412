import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Static tokens of users, and the policies that each is limited to. Triggers publish changes to them. */
export class StaticTokens1763744000000 implements MigrationInterface {
  readonly name = 'StaticTokens1763744000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of [...UP, ...TRIGGERS]) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await queryRunner.query(statement);
  }
}

/** The ids of more users, 36 characters each, do not fit into a message. */
const NAMED = 202;

const distinct = (rows: string): string => `
  SELECT string_agg(named.id, ' ')
  FROM (SELECT DISTINCT "user"::text AS id FROM ${rows} LIMIT ${NAMED + 1}) named`;

/** No cache depends on when a token was last used. */
const CHANGED = `was FULL JOIN touched USING (id, "user")
  WHERE to_jsonb(was) - 'last_used' IS DISTINCT FROM to_jsonb(touched) - 'last_used'`;

/** Like those of the rights: each publishes whose tokens were changed. */
const tells = (name: string, words: string): string => `
  CREATE FUNCTION "${name}"() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE words text;
  BEGIN
    ${words}
    IF words IS NULL THEN RETURN NULL; END IF;
    IF octet_length(words) > 7500 THEN words := '*'; END IF;
    PERFORM pg_catalog.pg_notify('doorward', 'sql ' || words);
    PERFORM pg_catalog.set_config('doorward.told', 'yes', true);
    RETURN NULL;
  END $$`;

const UP = [
  `CREATE TABLE "service_static_tokens" (
    "id" uuid NOT NULL,
    "user" uuid NOT NULL,
    "hash" varchar(64) NOT NULL,
    "name" varchar(255) NOT NULL,
    "narrowed" boolean NOT NULL,
    "expires_at" timestamptz(3),
    "created_at" timestamptz(3) NOT NULL DEFAULT now(),
    "last_used" timestamptz(3),
    CONSTRAINT "pk_service_static_tokens" PRIMARY KEY ("id"),
    CONSTRAINT "fk_service_static_tokens_user" FOREIGN KEY ("user") REFERENCES "service_users"("id") ON DELETE CASCADE
  )`,
  `CREATE INDEX "ix_service_static_tokens_user" ON "service_static_tokens" ("user")`,
  `CREATE UNIQUE INDEX "ix_service_static_tokens_hash" ON "service_static_tokens" ("hash")`,
  `CREATE TABLE "service_static_token_policies" (
    "token" uuid NOT NULL,
    "policy" uuid NOT NULL,
    CONSTRAINT "pk_service_static_token_policies" PRIMARY KEY ("token", "policy"),
    CONSTRAINT "fk_service_static_token_policies_token" FOREIGN KEY ("token") REFERENCES "service_static_tokens"("id") ON DELETE CASCADE,
    CONSTRAINT "fk_service_static_token_policies_policy" FOREIGN KEY ("policy") REFERENCES "service_policies"("id") ON DELETE CASCADE
  )`,
  `CREATE INDEX "ix_service_static_token_policies_policy" ON "service_static_token_policies" ("policy")`,
  tells(
    'service_tell_static_tokens',
    `IF TG_OP = 'TRUNCATE' THEN words := '*';
    ELSIF TG_OP = 'UPDATE' THEN words := (${distinct(CHANGED)});
    ELSE words := (${distinct('touched')});
    END IF;`,
  ),
  // The search path of the caller is not known, so the table is named with its schema.
  tells(
    'service_tell_static_token_policies',
    `IF TG_OP IN ('TRUNCATE', 'UPDATE') THEN words := '*';
    ELSE EXECUTE pg_catalog.format($sql$${distinct(
      '%I.service_static_tokens WHERE id IN (SELECT token FROM touched)',
    )}$sql$, TG_TABLE_SCHEMA) INTO words;
    END IF;`,
  ),
];

type Event = 'INSERT' | 'UPDATE' | 'DELETE' | 'TRUNCATE';

const ROWS: Readonly<Record<Event, string>> = {
  INSERT: 'REFERENCING NEW TABLE AS touched',
  UPDATE: 'REFERENCING OLD TABLE AS was NEW TABLE AS touched',
  DELETE: 'REFERENCING OLD TABLE AS touched',
  TRUNCATE: '',
};

function trigger(table: string, event: Event): string[] {
  const name = `"service_told_${event.toLowerCase()}"`;
  const told = table.replace('service_', 'service_tell_');
  return [
    `CREATE TRIGGER ${name} AFTER ${event} ON "${table}" ${ROWS[event]}
      FOR EACH STATEMENT EXECUTE FUNCTION "${told}"()`,
    `ALTER TABLE "${table}" ENABLE ALWAYS TRIGGER ${name}`,
  ];
}

/** A new token takes nothing away, and no cache knows it yet. */
const TOLD: readonly (readonly [table: string, events: readonly Event[]])[] = [
  ['service_static_tokens', ['UPDATE', 'DELETE', 'TRUNCATE']],
  ['service_static_token_policies', ['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE']],
];

const TRIGGERS = TOLD.flatMap(([table, events]) =>
  events.flatMap((event) => trigger(table, event)),
);

const DOWN = [
  `DROP TABLE "service_static_token_policies"`,
  `DROP TABLE "service_static_tokens"`,
  `DROP FUNCTION "service_tell_static_token_policies"()`,
  `DROP FUNCTION "service_tell_static_tokens"()`,
];
