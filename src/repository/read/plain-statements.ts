import { LRUCache } from 'lru-cache';
import type { Decision } from '../../engine';
import { type Addressed, compileList } from '../compile/compile-rows';
import type { TableView } from '../compile/scope';
import type { Compiled } from '../compile/statement';
import type { BoundQuery } from '../query/query';

/** Bytes that all of them may keep. */
const ROOM = 16_000_000;
const OF_STATEMENT = 500;
const OF_VALUE = 50;
/** Characters: a longer one takes so long to run that compiling it does not count. */
const MAX_TEXT = 16_384;
const NO_META = { total: false, filtered: false };

/** Stand for what differs from one request to the next. */
const KEYS: readonly unknown[] = [null];
const LIMIT = Number.NaN;

/** By the number of the decision, so that no decision is kept alive by its statement. */
export const plainStatements = new LRUCache<string, Compiled>({
  maxSize: ROOM,
  sizeCalculation: ({ text, values }) =>
    values.reduce<number>((sum, value) => sum + sizeOf(value), OF_STATEMENT + text.length),
});
const numbers = new WeakMap<Decision, number>();
let numbered = 0;

/**
 * The statement of a query that says nothing but how many rows, or which: it follows from the decision, and is
 * compiled once.
 */
export function plainStatement(
  decision: Decision,
  query: BoundQuery,
  view: TableView,
  addressed: Addressed,
): Compiled {
  // What others hold decides too where rows are about them.
  if (decision.collection.parts) return compileList(query, view, NO_META, addressed);
  const number = numbers.get(decision);
  if (number === undefined) {
    // It may be this request's own, and gone with it: only one that comes back is worth keeping something for.
    numbers.set(decision, (numbered += 1));
    return compileList(query, view, NO_META, addressed);
  }
  const name = `${number}${addressed.keys ? ' by key' : ''}`;
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
  const template = compileList(open, view, NO_META, keys ? { keys: KEYS } : {});
  const holes = template.values.filter((value) => Number.isNaN(value)).length;
  if (template.text.length > MAX_TEXT || holes !== 1) return undefined;
  plainStatements.set(name, template);
  return template;
}

const filling =
  (query: BoundQuery, { keys }: Addressed) =>
  (value: unknown): unknown =>
    value === KEYS ? keys : Number.isNaN(value) ? query.limit : value;

const sizeOf = (value: unknown): number =>
  OF_VALUE + (typeof value === 'string' ? value.length : (JSON.stringify(value) ?? '').length);
