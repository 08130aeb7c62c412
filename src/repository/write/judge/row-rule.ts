import {
  allOf,
  type BoundFilter,
  type BoundLeaf,
  covers,
  everything,
  isEverything,
} from '../../../engine';
import { hasOnlyLeaves } from '../../compile/row-alone';
import type { StoredCollection } from '../../registry/stored-collection';
import type { CollectionWrite } from '../collection-write';
import { lacksComment } from './require-comment';
import type { Judged } from './judged';
import { judgedFilters } from './judged-filters';

/**
 * The condition on the stored row, if a single one on its own columns decides whether the write is allowed: then the
 * statement that stores the row can judge it.
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
  const isOne = cases.length === 1 && hasOnlyLeaves(rule, (leaf) => isCompiled(leaf, collection));
  return isOne ? rule : undefined;
}

/**
 * Whether the leaf can be compiled: not `_regex`, which is evaluated in memory, nor a concealed field, whose sent value
 * is judged and not the stored one.
 */
function isCompiled(
  { expression: { field }, test }: BoundLeaf,
  { columns }: StoredCollection,
): boolean {
  return !field.concealed && test !== 'regex' && columns.has(field.name);
}
