import type { BoundFilter } from '../../engine';
import type { StoredCollection } from '../registry/stored-collection';

/** Whether a filter reads nothing but the row's own columns. */
export function readsRowAlone(filter: BoundFilter, collection: StoredCollection): boolean {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.of.every((member) => readsRowAlone(member, collection));
    case 'leaf':
      return collection.columns.has(filter.expression.field.name);
    case 'to-one':
    case 'to-many':
      return false;
  }
}
