import { type Caller, type FieldLookup, isStored, memoize } from '../../engine';
import type { QueryLimits, QuerySetting } from '../query/query-setting';
import { settingFor } from './caller-reader';

/**
 * Rules that one route grants beyond the caller's own, for what it answers: `/users/me` shows everybody their own user.
 * They hold for the route's items and for the rows that these refer to. Filters, sorts, searches, rows further away,
 * and relations with `deep` parameters stay under the caller's own rules.
 */
export interface AdditionalGrants {
  /** The caller with the rules added that show the route's own items. */
  readonly item: Caller;
  /**
   * The caller with the rules added that show the rows that these refer to; without it, nothing more is shown of them.
   */
  readonly related?: () => Caller;
}

/** What may be named and shown where the route's items are read. */
export function settingWithGrants(
  caller: Caller,
  { item, related }: AdditionalGrants,
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

/** The size of a list depends on rows further away. */
const withoutLists = (shown: FieldLookup, own: FieldLookup): FieldLookup => ({
  key: (collection) => shown.key(collection),
  field: (collection, name) => {
    const field = shown.field(collection, name);
    return field && isStored(field) ? field : own.field(collection, name);
  },
});
