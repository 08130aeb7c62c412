import { type Caller, type FieldLookup, isStored, memoize } from '../../engine';
import type { QueryLimits, QuerySetting } from '../query/query-setting';
import { settingFor } from './caller-reader';

/**
 * What a route shows beyond the caller's rules: of its own items, and of the rows that these lead to. It is for output
 * alone: whatever else a query names (filters, sorts, searches of a relation), and everything further away, is under
 * the caller's rules, as is a relation of which the query says which rows it wants.
 */
export interface Exception {
  /** The caller with the rules that show the route's own items. */
  readonly item: Caller;
  /** The caller with the rules that show what these lead to; by default nothing more is shown. */
  readonly related?: () => Caller;
}

/** What may be named and shown where the route's items are read. */
export function exceptionSetting(
  caller: Caller,
  { item, related }: Exception,
  limits: QueryLimits,
): QuerySetting {
  const own = settingFor(caller, limits);
  const { shown } = settingFor(item, limits);
  const relatedOnce = memoize((_: Caller) => related?.() ?? caller);
  return {
    ...own,
    shown: { ...shown, comparable: withoutLists(shown.comparable, own.named) },
    reader: item,
    below: ({ rows }) => {
      const reader = Object.keys(rows).length === 0 ? relatedOnce(caller) : caller;
      return { ...own, shown: settingFor(reader, limits).shown, reader, below: () => own };
    },
  };
}

/** The size of a list is of rows further away. */
const withoutLists = (shown: FieldLookup, own: FieldLookup): FieldLookup => ({
  key: (collection) => shown.key(collection),
  field: (collection, name) => {
    const field = shown.field(collection, name);
    return field && isStored(field) ? field : own.field(collection, name);
  },
});
