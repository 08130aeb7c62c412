import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Whoever changes rights, by whatever SQL, tells all instances: triggers say which, with NOTIFY. Each function stands
 * on its own, since the search path of those who set it off is not known.
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

/** More users than this, by their ids of 36 characters each, do not fit a message. */
const NAMED = 202;

/**
 * `sql` stands where an instance puts its own name. That something was told is kept for the rest of the transaction:
 * who commits it waits until it is heard.
 * @param words statements that find what to say; null says nothing
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

/** The distinct users of some rows; one more than a message can name is enough to know that there are too many. */
const users = (column: string, rows: string): string => `
  SELECT string_agg(named.id, ' ') INTO words
  FROM (SELECT DISTINCT ${column}::text AS id FROM ${rows} LIMIT ${NAMED + 1}) named;`;

/** Each sign-in sets the last access and may hash the password anew: nothing that is held depends on them. */
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

/** Also where a session plays the replica, as those that restore data do. */
function trigger(table: string, told: string, event: Event): string[] {
  const name = `"service_told_${event.toLowerCase()}"`;
  return [
    `CREATE TRIGGER ${name} AFTER ${event} ON "${table}" ${ROWS[event]}
      FOR EACH STATEMENT EXECUTE FUNCTION "service_tell_${told}"()`,
    `ALTER TABLE "${table}" ENABLE ALWAYS TRIGGER ${name}`,
  ];
}

const ALL: readonly Event[] = ['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE'];

/** A session that begins or is prolonged takes nothing away, and nobody has looked for it before. */
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
