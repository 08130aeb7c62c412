import { type Addressed, compileList } from '../compile/compile-rows';
import type { TableView } from '../compile/scope';
import type { Compiled } from '../compile/statement';
import { isCacheable, statementCache } from '../compile/statement-cache';
import { type BoundQuery, NO_META } from '../query/query';
import { numberDecision, type CacheKeyParts, cacheKeyText } from './plain-queries';

const MAX_BYTES = 16_000_000;

/** Placeholders for what differs from one request to the next. */
const KEY = {};
const LIMIT = Number.NaN;

/** By the text of the cache key. */
export const plainStatements = statementCache<Compiled>(MAX_BYTES);

/**
 * The statement of a query, compiled once for all requests with this cache key.
 * @param query what the cache key stands for
 */
export function plainStatement(
  cacheKey: CacheKeyParts,
  query: BoundQuery,
  view: TableView,
  addressed: Addressed,
): Compiled {
  // For rows about other rows, the result also depends on those rows.
  if (cacheKey.decision.collection.parts) return compileList(query, view, NO_META, addressed);
  const queryName = cacheKeyText(cacheKey);
  const { keys } = addressed;
  if (keys && keys.length !== 1) return compileList(query, view, NO_META, addressed);
  if (queryName === undefined) {
    numberDecision(cacheKey.decision);
    return compileList(query, view, NO_META, addressed);
  }
  const name = keys ? `${queryName} by key` : queryName;
  const template = plainStatements.get(name) ?? compileTemplate(name, query, view, addressed);
  return template
    ? { text: template.text, values: template.values.map(filling(query, addressed)) }
    : compileList(query, view, NO_META, addressed);
}

/** @returns undefined where it is too long to cache, or where a rule's own value equals a placeholder */
function compileTemplate(
  name: string,
  query: BoundQuery,
  view: TableView,
  { keys }: Addressed,
): Compiled | undefined {
  const open = { ...query, limit: query.limit === null ? null : LIMIT };
  const template = compileList(open, view, NO_META, keys ? { keys: [KEY] } : {});
  const limits = template.values.filter((value) => Number.isNaN(value)).length;
  if (!isCacheable(template) || limits !== 1) return undefined;
  plainStatements.set(name, template);
  return template;
}

/** Replaces the placeholders by the values of this request. */
const filling =
  (query: BoundQuery, { keys }: Addressed) =>
  (value: unknown): unknown => {
    if (value === KEY) return keys?.[0];
    return Number.isNaN(value) ? query.limit : value;
  };
