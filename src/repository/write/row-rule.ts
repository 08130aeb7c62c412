import {
  allOf,
  type BoundFilter,
  type BoundLeaf,
  everything,
  isEverything,
  isStored,
  type ScalarType,
} from '../../engine';
import { isOfLeaves } from '../compile/row-alone';
import type { StoredCollection } from '../registry/stored-collection';
import type { CollectionWrite } from './collection-write';
import { covers, lacksComment } from './demand-comment';
import type { Judged } from './judge';
import { judgedFilters } from './judged-filters';

/**
 * What the stored row must meet, where one condition on its own columns says whether the write is allowed: the statement
 * that stores the row can then judge it.
 * @returns undefined where it takes more than that, or where the write is refused whatever the row is
 */
export function rowRule(
  { decision, caller, collection }: CollectionWrite,
  { matching, fields }: Judged,
): BoundFilter | undefined {
  if (decision.unrestricted) return everything;
  const cases = matching ?? decision.cases;
  if (!covers(cases, fields) || lacksComment(caller, cases, fields)) return undefined;
  const filters = judgedFilters({ ...decision, cases });
  if (filters.every(isEverything)) return everything;
  const rule = allOf(filters);
  const isOne = cases.length === 1 && isOfLeaves(rule, (leaf) => isCompiled(leaf, collection));
  return isOne ? rule : undefined;
}

/** Types whose stored values are the same in the database and in memory, whoever stored them. */
const ALIKE: readonly ScalarType[] = [
  ...(['integer', 'bigint', 'decimal', 'double'] as const),
  ...(['boolean', 'text', 'enum', 'uuid'] as const),
];

/**
 * Not `_regex`, which is judged in memory, nor a concealed field, of which only the value that was sent is judged. JSON and
 * times may be stored as no request sends them: as JSON's null, with microseconds, after the year 9999.
 */
function isCompiled(
  { expression: { field }, test }: BoundLeaf,
  { columns }: StoredCollection,
): boolean {
  const isAlike = isStored(field) && ALIKE.includes(field.type) && !field.concealed;
  return isAlike && test !== 'regex' && columns.has(field.name);
}
