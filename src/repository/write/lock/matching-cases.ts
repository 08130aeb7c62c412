import type { Case } from '../../../engine';
import { Forbidden } from '../../../common/errors';
import type { Queries } from '../../../database/database';
import type { Key } from '../../write-context';
import { realScope, type CollectionWrite } from '../collection-write';
import { compileMet } from '../store/write-sql';

/** The cases that each row matches, by the text of its key. */
export type MatchingCases = ReadonlyMap<string, readonly Case[]>;

/** A row that was found. */
export interface Met {
  readonly key: Key;
  /** Whether the row meets each filter, by index; only where filters were given. */
  readonly met?: readonly boolean[];
}

/** @throws Forbidden where a row is missing or matches no case */
export async function findMatching(
  scope: CollectionWrite,
  keys: readonly Key[],
  queries: Queries,
): Promise<MatchingCases> {
  const filters = scope.decision.cases.map((each) => each.rows);
  const { text, values } = compileMet(realScope(scope.registry, scope.collection), keys, filters);
  return casesMet(scope, keys, await queries.query<Met>(text, values));
}

/** @param rows as returned by `compileMet` */
export function casesMet(
  { decision: { cases } }: CollectionWrite,
  keys: readonly Key[],
  rows: readonly Met[],
): MatchingCases {
  const met = new Map(
    rows.map((row) => [`${row.key}`, cases.filter((_, index) => row.met?.[index] === true)]),
  );
  const reached = keys.every((key) => (met.get(String(key))?.length ?? 0) > 0);
  if (!reached) throw new Forbidden({});
  return met;
}
