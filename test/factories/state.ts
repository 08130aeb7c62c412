import { isDeepStrictEqual } from 'node:util';
import type { TestApp } from '../support';

/** Rows by table, by key. */
export type State = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

/** The service’s own, each after those that it refers to. */
const TABLES = [
  'service_policies',
  'service_roles',
  'service_users',
  'service_access',
  'service_permissions',
  'service_settings',
  'service_sessions',
] as const;

/**
 * All stored rows, read by SQL, without the time when users were last seen.
 * @param more a team’s tables, each after those that it refers to
 */
export async function readState(
  { database }: TestApp,
  more: readonly string[] = [],
): Promise<State> {
  const columns = [...TABLES, ...more].map(
    (table) =>
      `(SELECT coalesce(jsonb_agg(to_jsonb(t) - 'last_seen' - 'last_access' ORDER BY to_jsonb(t)->>'id', to_jsonb(t)::text), '[]') FROM ${table} t) AS ${table}`,
  );
  const [state] = await database.query<State>(`SELECT ${columns.join(', ')}`);
  if (!state) throw new Error('No state');
  return state;
}

/** Restores every table by SQL; does nothing if nothing has changed. */
export async function restoreState(
  tested: TestApp,
  state: State,
  more: readonly string[] = [],
): Promise<void> {
  if (isDeepStrictEqual(await readState(tested, more), state)) return;
  const { database } = tested;
  const tables = [...TABLES, ...more];
  await database.transaction(async (tx) => {
    for (const table of tables.toReversed()) await tx.query(`DELETE FROM ${table}`);
    for (const table of tables) {
      const rows = (state[table] ?? []).map((row) => ({ last_seen: 'now', ...row }));
      await tx.query(
        `INSERT INTO ${table} SELECT * FROM jsonb_populate_recordset(NULL::${table}, $1::jsonb)`,
        [JSON.stringify(rows)],
      );
    }
  });
}
