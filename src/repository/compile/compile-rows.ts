import type { Caller, Decision, ToManyShape } from '../../engine';
import { type StoredCollection, columnOf } from '../registry/stored-collection';
import { quote } from '../../database/quote';
import type { CollectionRegistry } from '../registry/registry';
import type { BoundQuery, Meta } from '../query/query';
import { aboutRows } from './about';
import { conditions } from './compile-conditions';
import { metColumn } from './compile-filter';
import { compileOutput } from './compile-output';
import { compileSort } from './compile-sort';
import { findRows, type Found, scanRows } from './few-rows';
import { listOf } from './list-source';
import { joinTargets, type Joins } from './join-targets';
import {
  fromOf,
  isOneOf,
  keyIn,
  openScope,
  rowsOf,
  type TableScope,
  type TableView,
} from './scope';
import { and, type Compiled, type Statement } from './statement';
import { RealView, viewOf, VirtualView } from './views';

/** Column names that no cell has. */
export const KEY = '$key';
export const PARENT = '$parent';
export const TOTAL = '$total';
export const FILTERED = '$filtered';
export const NUMBER = '$number';

/** Restricts the rows to those with one of the keys; without keys, the whole list. */
export interface Addressed {
  readonly keys?: readonly unknown[];
}

/**
 * The one statement of a list: the caller's rows, filtered, searched, sorted, a page of them, each cell masked.
 *
 * `{title: {_contains: 'a'}}`, for a caller who reads the title of live articles, and title and status of their own:
 * ```sql
 * SELECT t0."title" AS f0, CASE WHEN t0."owner" = $1::uuid THEN t0."status" END AS f1
 * FROM "articles" t0
 * WHERE ((t0."status" = $2::text OR t0."owner" = $1::uuid) AND t0."title" LIKE $3::text)
 * ORDER BY t0."id" LIMIT $4::int8
 * ```
 */
export function compileList(
  query: BoundQuery,
  view: TableView,
  meta: Meta,
  addressed: Addressed = {},
): Compiled {
  const seen = viewOf(query, view);
  const scope = openScope(view.registry.table(query.collection), seen, query.deleted);
  const { keys } = addressed;
  const found = keys ? scanRows(scope) : findRows(query.filter, scope);
  const queryConditions = conditions(query, scope);
  const counts = compileCounts(meta, scope, found, queryConditions);
  const where = keys ? and(queryConditions, isOneOf(scope, keys)) : queryConditions;
  const key = keys ? [`${keyIn(scope)} AS ${quote(KEY)}`] : [];
  const select = compileSelect(query, scope, () => fromOf(scope), key);
  const page = found.select((visible) => select(and(visible, where)), ' UNION ALL ');
  const rows = query.limit ?? keys?.length ?? Infinity;
  const length = lengthOf(found.before, page, ...counts);
  const joins = joinTargets(query, { scope, view, holder: 'page', rows, length });
  const text = counts.length + joins.columns.length > 0 ? withCounts(counts, page, joins) : page;
  return scope.statement.compiled(found.before + text);
}

/** @returns a page of the scope's rows that meet a condition */
function compileSelect(
  query: BoundQuery,
  scope: TableScope,
  from: () => string,
  more: readonly string[] = [],
): (where: string) => string {
  const output = [...compileOutput(query, scope), ...more].join(', ');
  const { by, joins } = compileSort(query.sort, scope);
  const page = compilePage(query, scope.statement);
  const source = `${from()}${joins}`;
  return (where) => `SELECT ${output} FROM ${source} WHERE ${where} ORDER BY ${by}${page}`;
}

export function compilePage(query: BoundQuery, statement: Statement): string {
  const limit = query.limit === null ? '' : ` LIMIT ${statement.bind(query.limit, 'int8')}`;
  return query.offset === 0 ? limit : `${limit} OFFSET ${statement.bind(query.offset, 'int8')}`;
}

/** Each count uses the page's own conditions under the same names, so they are compiled once. */
function compileCounts(
  meta: Meta,
  scope: TableScope,
  found: Found,
  queryConditions: string,
): string[] {
  const count = (from: string, where: string, as: string): string => {
    const all = (visible: string): string =>
      `SELECT count(*) FROM ${from} WHERE ${and(visible, where)}`;
    return `(${found.select(all, ' + ')}) AS ${quote(as)}`;
  };
  return [
    ...(meta.total ? [count(rowsOf(scope), 'TRUE', TOTAL)] : []),
    ...(meta.filtered ? [count(fromOf(scope), queryConditions, FILTERED)] : []),
  ];
}

/** Adds the counts and the joined rows to the rows of a page; the counts are returned even for an empty page. */
function withCounts(counts: readonly string[], rows: string, joins: Joins): string {
  const page = `(${numbered(rows)}) page`;
  const from =
    counts.length > 0 ? `(SELECT ${counts.join(', ')}) counts LEFT JOIN ${page} ON TRUE` : page;
  const columns = [...(counts.length > 0 ? ['counts.*'] : []), 'page.*', ...joins.columns];
  return `SELECT ${columns.join(', ')} FROM ${from}${joins.from} ORDER BY page.${quote(NUMBER)}`;
}

const lengthOf = (...texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + text.length, 0);

/** Rows of a subquery lose their order, so each is numbered. */
const numbered = (rows: string): string =>
  `SELECT numbered.*, row_number() OVER () AS ${quote(NUMBER)} FROM (${rows}) numbered`;

/** The rows that many parents' to-one keys lead to: one statement for all of them. */
export function compileTargets(
  query: BoundQuery,
  view: TableView,
  keys: readonly unknown[],
): Compiled {
  return compileList(
    { ...query, limit: null, offset: 0 },
    view,
    { total: false, filtered: false },
    { keys },
  );
}

/** The lists of many parents, sorted and cut for each parent: one statement for all of them. */
export function compileLists(
  query: BoundQuery,
  field: ToManyShape,
  parent: StoredCollection,
  view: TableView,
  keys: readonly unknown[],
): Compiled {
  const scope: TableScope = { ...openScope(parent, viewOf(query, view)), alias: 'parent' };
  const { statement } = scope;
  const cast = parent.columns.get(parent.key)?.cast ?? 'text';
  const parents = statement.bind(keys, `${cast}[]`);
  const list = listOf(field, scope, scope.position, 'parent.key');
  const where = and(list.where, conditions(query, list.inner));
  const rows = compileSelect(query, list.inner, list.from)(where);
  const maxRows = keys.length * (query.limit ?? Infinity);
  const many = { rows: maxRows, length: rows.length };
  const joins = joinTargets(query, { scope: list.inner, view, holder: 'child', ...many });
  const columns = [`parent.key AS ${quote(PARENT)}`, 'child.*', ...joins.columns];
  return statement.compiled(
    `SELECT ${columns.join(', ')} FROM unnest(${parents}) AS parent(key) CROSS JOIN LATERAL (${numbered(rows)}) child${joins.from} ORDER BY parent.key, child.${quote(NUMBER)}`,
  );
}

/**
 * Which cases of the decision reach one row: the row with the given key or, without a key, the only row of the table.
 * A row that concerns another row, as a comment does, counts only where the caller sees that other row.
 */
export function compileReach(
  registry: CollectionRegistry,
  decision: Decision,
  caller: Caller,
  keys: readonly (string | number)[] | undefined,
): Compiled {
  const collection = registry.table(decision.collection.name);
  const scope = openScope(collection, new RealView(registry));
  const { statement } = scope;
  const cast = columnOf(collection, collection.key).cast;
  const addressed = keys ? `${keyIn(scope)} = ANY(${statement.bind(keys, `${cast}[]`)})` : 'TRUE';
  const { about } = collection;
  const seen = { ...scope, view: new VirtualView(registry, caller) };
  const visible = about && !caller.administrator ? aboutRows(seen, about, caller) : 'TRUE';
  const met = metColumn(
    scope,
    decision.cases.map(({ rows }) => rows),
  );
  const where = and(addressed, visible);
  return statement.compiled(`SELECT ${met} FROM ${fromOf(scope)} WHERE ${where} LIMIT 1`);
}
