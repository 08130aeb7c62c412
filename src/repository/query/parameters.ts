import { malformed } from '../../engine';
import type { RawQuery } from './query';
import { isRecord } from '../../common/is-object';

/** What is shown of an item. */
export const ITEM_PARAMETERS: readonly string[] = ['fields', 'meta', 'alias', 'deep'];
/** Which items are read; what is shown of them does not depend on these. */
export const SELECTION_PARAMETERS: readonly string[] = [
  'filter',
  'search',
  'sort',
  'limit',
  'offset',
  'page',
];
export const LIST_PARAMETERS: readonly string[] = [...ITEM_PARAMETERS, ...SELECTION_PARAMETERS];
/** Allowed where items are read, and not in the answer to a write. */
export const DELETED = 'deleted';

/** All that the query of a read may have. */
export const QUERY_PARAMETERS: ReadonlySet<string> = new Set([
  ...LIST_PARAMETERS,
  'aggregate',
  'groupBy',
  DELETED,
]);

/** In a URL, names separated by commas; those of the next list are an object as JSON. */
const NAMES: ReadonlySet<string> = new Set(['fields', 'sort', 'groupBy', 'meta']);
const OBJECTS: ReadonlySet<string> = new Set(['filter', 'alias', 'deep', 'aggregate']);
const NO_NAMES = /^[\s,]*$/;
const NO_MEMBERS = /^\s*\{\s*\}\s*$/;

/** An empty parameter, `limit=` or `groupBy: []`, counts as missing. */
export function withoutEmpty(raw: RawQuery): RawQuery {
  const empty = Object.keys(raw).filter(
    (name) => QUERY_PARAMETERS.has(name) && isEmpty(name, raw[name]),
  );
  return empty.length === 0
    ? raw
    : Object.fromEntries(Object.entries(raw).filter(([name]) => !empty.includes(name)));
}

function isEmpty(name: string, value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (NAMES.has(name)) return [value].flat().every(isNoName);
  if (!OBJECTS.has(name)) return false;
  return typeof value === 'string'
    ? NO_MEMBERS.test(value)
    : typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length === 0;
}

const isNoName = (part: unknown): boolean => typeof part === 'string' && NO_NAMES.test(part);

/** A parameter that a query string may hold as JSON text. */
export function parseJson(raw: unknown, path: readonly string[]): unknown {
  if (typeof raw !== 'string') return raw;
  try {
    return JSON.parse(raw) as unknown;
  } catch {
    throw malformed(path, 'must be JSON');
  }
}

/** The same, but it must be an object; a missing one is an empty object. */
export function parseObject(raw: unknown, path: readonly string[]): object {
  if (raw === undefined || raw === null) return {};
  const value = parseJson(raw, path);
  if (!isRecord(value)) {
    throw malformed(path, 'must be an object');
  }
  return value;
}

/** Names as a comma-separated string or a list of such strings. */
export function parseNames(raw: unknown, path: readonly string[]): string[] | undefined {
  if (raw === undefined || raw === null) return undefined;
  const parts: unknown[] = Array.isArray(raw) ? raw : [raw];
  return parts.flatMap((part) => {
    if (typeof part !== 'string') throw malformed(path, 'must be names, separated by commas');
    return part
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '');
  });
}
