import { type FilterSize, isStorableText, malformed, parseFilter } from '../../engine';
import {
  DELETED,
  ITEM_PARAMETERS,
  LIST_PARAMETERS,
  parseJson,
  SELECTION_PARAMETERS,
} from './parameters';
import type { Deleted, ListQuery, RawQuery, RowQuery } from './query';
import { type QuerySetting, settingBelow } from './query-setting';
import { parseMeta, parsePage } from './parse-page';
import { parseSort } from './parse-sort';
import { parseFields } from './parse-fields';
import { selectFields } from './select-fields';
import type { FieldSelection } from './field-selection';

/**
 * Reads the query parameters of a list.
 * @throws AccessFault `hidden` for a name that does not exist or may not be named, else `malformed`
 */
export function parseListQuery(
  raw: RawQuery,
  collection: string,
  setting: QuerySetting,
): ListQuery {
  refuseUnknown(raw, [...LIST_PARAMETERS, DELETED]);
  return parseShown(raw, collection, setting);
}

/** Reads how a write is answered: what is shown, and in which order. */
export function parseAnswerQuery(
  raw: RawQuery,
  collection: string,
  setting: QuerySetting,
): ListQuery {
  refuseUnknown(raw, LIST_PARAMETERS);
  return parseShown(raw, collection, setting);
}

/** @throws AccessFault where the query of a write of one item chooses rows */
export const refuseListParameters = (raw: RawQuery): void => refuseUnknown(raw, ITEM_PARAMETERS);

/** Reads the query parameters of one item: what to show of it. */
export function parseItemQuery(
  raw: RawQuery,
  collection: string,
  setting: QuerySetting,
): ListQuery {
  refuseUnknown(raw, [...ITEM_PARAMETERS, DELETED]);
  return parseShown(raw, collection, setting);
}

function parseShown(raw: RawQuery, collection: string, setting: QuerySetting): ListQuery {
  const selection = parseFields(raw, setting.limits.maxDepth);
  const query = parseRowQuery(raw, selection, collection, setting);
  const deleted = parseDeleted(raw, collection, setting);
  return { ...query, ...deleted, meta: parseMeta(raw['meta']) };
}

/** `deleted=with` or `deleted=only`, of a collection that keeps deleted rows. @throws AccessFault */
export function parseDeleted(
  { [DELETED]: raw }: RawQuery,
  collection: string,
  { keepsDeleted }: QuerySetting,
): { readonly deleted?: Deleted } {
  if (raw === undefined || raw === null) return {};
  if (!keepsDeleted(collection)) throw malformed([DELETED], 'is no query parameter');
  if (raw !== 'with' && raw !== 'only') throw malformed([DELETED], 'must be with or only');
  return { deleted: raw };
}

/**
 * Reads the query that selects the rows of a write: it reads only their keys, and all matching rows unless it sets a
 * limit, or a page, which has the default limit.
 */
export function parseSelection(
  raw: RawQuery,
  collection: string,
  setting: QuerySetting,
): ListQuery {
  refuseUnknown(raw, SELECTION_PARAMETERS);
  const fields = setting.shown.key(collection);
  const query = parseListQuery({ ...raw, fields }, collection, setting);
  return isLimited(raw) ? query : { ...query, limit: null };
}

/** Whether the rows of a write are limited: a page without a limit has the default one. */
export function isLimited(raw: RawQuery): boolean {
  const isSet = (name: string): boolean => (raw[name] ?? null) !== null;
  return isSet('limit') || (isSet('page') && !isSet('offset'));
}

export function refuseUnknown(raw: RawQuery, known: readonly string[]): void {
  for (const name of Object.keys(raw)) {
    if (!known.includes(name)) throw malformed([name], 'is no query parameter');
  }
}

/**
 * Reads which rows are requested, and what is shown of each.
 * @param raw filter, search, sort, limit, offset, page
 * @param depth relations followed so far
 */
export function parseRowQuery(
  raw: RawQuery,
  selection: FieldSelection,
  collection: string,
  setting: QuerySetting,
  depth = 0,
): RowQuery {
  const related = (target: string, inner: FieldSelection): RowQuery =>
    parseRowQuery(inner.rows, inner, target, settingBelow(setting, inner), depth + 1);
  return {
    collection,
    ...(setting.reader && { reader: setting.reader }),
    ...selectFields(selection, collection, { setting, depth, related }),
    filter: parseFilter(parseJson(raw['filter'], ['filter']), collection, {
      lookup: setting.named,
      position: 'query',
      size: setting.size,
    }),
    search: parseSearch(raw['search'], setting.size),
    sort: parseSort(raw['sort'], collection, setting.named),
    ...parsePage(raw, setting.limits),
  };
}

function parseSearch(raw: unknown, size: FilterSize): string | null {
  if (raw === undefined || raw === null || raw === '') return null;
  if (typeof raw !== 'string') throw malformed(['search'], 'must be a string');
  if (!isStorableText(raw)) throw malformed(['search'], 'must not hold U+0000 or a lone surrogate');
  size.addPattern(raw, ['search']);
  return raw;
}
