import { LRUCache } from 'lru-cache';
import { type Addressed, compileList } from '../compile/compile-rows';
import type { TableView } from '../compile/scope';
import type { Compiled } from '../compile/statement';
import type { BoundQuery } from '../query/query';
import { expectAgain, type Plain, plainName, plainQueries } from './plain-queries';

/** Bytes that all of them may keep. */
const ROOM = 16_000_000;
const OF_STATEMENT = 500;
const OF_VALUE = 50;
/** Characters: a longer one takes so long to run that compiling it does not count. */
const MAX_TEXT = 16_384;
const NO_META = { total: false, filtered: false };

/** Stand for what differs from one request to the next. */
const KEY = {};
const LIMIT = Number.NaN;

/** By the name of the query. */
export const plainStatements = new LRUCache<string, Compiled>({
  maxSize: ROOM,
  sizeCalculation: ({ text, values }, name) =>
    values.reduce<number>(
      (sum, value) => sum + sizeOf(value),
      OF_STATEMENT + text.length + name.length,
    ),
});

/** Where all decisions were dropped: what is kept for them never comes again. */
export function forgetDecisions(): void {
  plainQueries.clear();
  plainStatements.clear();
}

/**
 * The statement of a query that says nothing but what to show, how many rows, or which: it follows from the decision,
 * and is compiled once.
 */
export function plainStatement(
  plain: Plain,
  query: BoundQuery,
  view: TableView,
  addressed: Addressed,
): Compiled {
  // What others hold decides too where rows are about them.
  if (plain.decision.collection.parts) return compileList(query, view, NO_META, addressed);
  const known = plainName(plain);
  const { keys } = addressed;
  if (keys && keys.length !== 1) return compileList(query, view, NO_META, addressed);
  if (known === undefined) {
    expectAgain(plain.decision);
    return compileList(query, view, NO_META, addressed);
  }
  const name = keys ? `${known} by key` : known;
  const template = plainStatements.get(name) ?? compileTemplate(name, query, view, addressed);
  return template
    ? { text: template.text, values: template.values.map(filling(query, addressed)) }
    : compileList(query, view, NO_META, addressed);
}

/** @returns nothing where it is too long to be kept, or a rule's own value cannot be told from what is to be filled in */
function compileTemplate(
  name: string,
  query: BoundQuery,
  view: TableView,
  { keys }: Addressed,
): Compiled | undefined {
  const open = { ...query, limit: query.limit === null ? null : LIMIT };
  const template = compileList(open, view, NO_META, keys ? { keys: [KEY] } : {});
  const holes = template.values.filter((value) => Number.isNaN(value)).length;
  if (template.text.length > MAX_TEXT || holes !== 1) return undefined;
  plainStatements.set(name, template);
  return template;
}

const filling =
  (query: BoundQuery, { keys }: Addressed) =>
  (value: unknown): unknown =>
    value === KEY ? keys?.[0] : Number.isNaN(value) ? query.limit : value;

const sizeOf = (value: unknown): number =>
  OF_VALUE + (typeof value === 'string' ? value.length : (JSON.stringify(value) ?? '').length);
