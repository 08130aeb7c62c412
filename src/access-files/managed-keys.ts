import type { Queries } from '../database';
import type { Keys } from './reference-faults';

const KEYS = `SELECT 'role' AS kind, key FROM service_roles WHERE managed IS NOT NULL
  UNION ALL SELECT 'policy', key FROM service_policies WHERE managed IS NOT NULL`;

/** The keys of the roles and policies that modules provide. */
export async function readManagedKeys(queries: Queries): Promise<Keys> {
  const rows = await queries.query<{ kind: 'role' | 'policy'; key: string }>(KEYS);
  const of = (kind: string): Set<string> =>
    new Set(rows.filter((row) => row.kind === kind).map(({ key }) => key));
  return { roles: of('role'), policies: of('policy') };
}
