import type { BoundFilter, BoundLeaf } from '../../engine';
import type { StoredCollection } from '../registry/stored-collection';

/** Whether a filter reads nothing but the row's own columns. */
export const readsRowAlone = (filter: BoundFilter, { columns }: StoredCollection): boolean =>
  hasOnlyLeaves(filter, ({ expression: { field } }) => columns.has(field.name));

/** Whether a filter has no clause about related rows, and the predicate holds for each of its leaves. */
export function hasOnlyLeaves(
  filter: BoundFilter,
  predicate: (leaf: BoundLeaf) => boolean,
): boolean {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.of.every((member) => hasOnlyLeaves(member, predicate));
    case 'leaf':
      return predicate(filter);
    case 'to-one':
    case 'to-many':
      return false;
  }
}
