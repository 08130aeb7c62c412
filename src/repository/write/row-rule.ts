import { allOf, type BoundFilter, everything, isEverything } from '../../engine';
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
  const isOne = cases.length === 1 && filters.every((filter) => isCompiled(filter, collection));
  return isOne ? allOf(filters) : undefined;
}

/** `_regex` is judged in memory, and of a concealed field only the value that was sent. */
function isCompiled(filter: BoundFilter, collection: StoredCollection): boolean {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.of.every((member) => isCompiled(member, collection));
    case 'leaf': {
      const { field } = filter.expression;
      return filter.test !== 'regex' && collection.columns.has(field.name) && !field.concealed;
    }
    case 'to-one':
    case 'to-many':
      return false;
  }
}
