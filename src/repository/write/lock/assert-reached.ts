import type { Decision } from '../../../engine';
import { Forbidden } from '../../../common/errors';
import type { Queries } from '../../../database/database';
import type { TableScope } from '../../compile/scope';
import type { Key } from '../../write-context';
import { compileMet } from '../store/write-sql';

/**
 * Call this before locking rows that the caller may not be allowed to write: otherwise such a caller could block others
 * with the locks. Rows that no longer exist are ignored.
 * @throws Forbidden where the decision does not reach one of the rows
 */
export async function assertReached(
  decision: Decision | undefined,
  real: TableScope,
  keys: readonly Key[],
  queries: Queries,
): Promise<void> {
  if (!decision) throw new Forbidden({});
  if (decision.unrestricted) return;
  const filters = decision.cases.map(({ rows }) => rows);
  const { text, values } = compileMet(real, keys, filters);
  const rows = await queries.query<{ met: readonly boolean[] }>(text, values);
  if (!rows.every(({ met }) => met.includes(true))) throw new Forbidden({});
}
