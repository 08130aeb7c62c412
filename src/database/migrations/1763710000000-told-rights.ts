import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Triggers notify all instances of changes to rights, whatever SQL makes them. Each function works with any search
 * path, since that of its caller is not known.
 */
export class ToldRights1763710000000 implements MigrationInterface {
  readonly name = 'ToldRights1763710000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of [...FUNCTIONS, ...TRIGGERS]) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await queryRunner.query(statement);
  }
}

/** The ids of more users, 36 characters each, do not fit into a message. */
const NAMED = 202;

/**
 * Makes a trigger function. In `sql` an instance puts its own name. The rest of the transaction records that something
 * was published: its commit waits until that is delivered.
 * @param words statements that find what to publish; null publishes nothing
 */
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

/** The distinct users of some rows. One more than fit into a message is enough to know that there are too many. */
const users = (column: string, rows: string): string => `
  SELECT string_agg(named.id, ' ') INTO words
  FROM (SELECT DISTINCT ${column}::text AS id FROM ${rows} LIMIT ${NAMED + 1}) named;`;

/** Columns that every sign-in may change; no right depends on them. */
const UNHEARD = "'{last_access,password}'::text[]";

const FUNCTIONS = [
  tells(
    'service_tell_rights',
    `IF TG_OP = 'TRUNCATE' THEN words := '*rights';
    ELSIF EXISTS (SELECT FROM touched) THEN words := '*rights';
    END IF;`,
  ),
  tells(
    'service_tell_users',
    `IF TG_OP = 'TRUNCATE' THEN words := '*';
    ELSIF TG_OP = 'UPDATE' THEN ${users(
      'id',
      `was FULL JOIN touched USING (id)
      WHERE to_jsonb(was) - ${UNHEARD} IS DISTINCT FROM to_jsonb(touched) - ${UNHEARD}`,
    )}
    ELSE ${users('id', 'touched')}
    END IF;`,
  ),
  tells(
    'service_tell_sessions',
    `IF TG_OP = 'TRUNCATE' THEN words := '*';
    ELSE ${users('"user"', 'touched WHERE expires_at > now()')}
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

/** Fires also in sessions with `session_replication_role = replica`, as in those that restore data. */
function trigger(table: string, told: string, event: Event): string[] {
  const name = `"service_told_${event.toLowerCase()}"`;
  return [
    `CREATE TRIGGER ${name} AFTER ${event} ON "${table}" ${ROWS[event]}
      FOR EACH STATEMENT EXECUTE FUNCTION "service_tell_${told}"()`,
    `ALTER TABLE "${table}" ENABLE ALWAYS TRIGGER ${name}`,
  ];
}

const ALL: readonly Event[] = ['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE'];

/** A session that begins or is prolonged takes no right away, and no cache knows it yet. */
const TOLD: readonly (readonly [table: string, told: string, events: readonly Event[]])[] = [
  ['service_permissions', 'rights', ALL],
  ['service_policies', 'rights', ALL],
  ['service_access', 'rights', ALL],
  ['service_roles', 'rights', ALL],
  ['service_users', 'users', ALL],
  ['service_sessions', 'sessions', ['DELETE', 'TRUNCATE']],
];

const TRIGGERS = TOLD.flatMap(([table, told, events]) =>
  events.flatMap((event) => trigger(table, told, event)),
);

const DOWN = [
  ...TOLD.flatMap(([table, , events]) =>
    events.map((event) => `DROP TRIGGER "service_told_${event.toLowerCase()}" ON "${table}"`),
  ),
  ...['rights', 'users', 'sessions'].map((told) => `DROP FUNCTION "service_tell_${told}"()`),
];
