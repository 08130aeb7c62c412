import { type Collection } from '../registry/collection';
import { quote } from '../registry/column';
import type { BoundQuery, Meta } from '../query/query';
import { compileCell } from './compile-cell';
import { compileFilter, keyIn, listOf, type Scope } from './compile-filter';
import { compileSearch } from './compile-search';
import { compileSort } from './compile-sort';
import { and, type Compiled, Statement } from './statement';
import type { TableView } from './table-view';
import type { ToManyShape } from '../../access';

/** Names in a statement's rows that no field can have. */
export const KEY = '$key';
export const PARENT = '$parent';
export const TOTAL = '$total';
export const FILTERED = '$filtered';
export const NUMBER = '$number';
export const linkName = (relation: string): string => `$link ${relation}`;

/** Which of the rows: the list itself, or those with one of the keys. */
export interface Addressed {
  readonly keys?: readonly unknown[];
}

/** The one statement of a list: the caller's rows, filtered, searched, sorted, a page of them, each cell masked. */
export function compileList(
  query: BoundQuery,
  view: TableView,
  meta: Meta,
  addressed: Addressed = {},
): Compiled {
  const statement = new Statement();
  const scope = rootScope(query.collection, view, statement);
  const there = view.rows(scope.collection, scope.alias, statement);
  const matching = and(there, ...conditions(query, addressed, scope));
  const key = addressed.keys ? [`${keyIn(scope)} AS ${quote(KEY)}`] : [];
  const output = [...compileOutput(query, scope), ...key].join(', ');
  const rows = `SELECT ${output} FROM ${scope.collection.table} ${scope.alias} WHERE ${matching} ORDER BY ${compileSort(query.sort, scope)}${compilePage(query, statement)}`;
  const counted = meta.total || meta.filtered;
  return statement.compiled(counted ? withCounts(query, rows, view, meta, statement) : rows);
}

export function rootScope(collection: string, view: TableView, statement: Statement): Scope {
  return { collection: view.registry.table(collection), alias: statement.alias(), view, statement };
}

export function conditions(query: BoundQuery, addressed: Addressed, scope: Scope): string[] {
  return [
    compileFilter(query.filter, scope),
    compileSearch(query.search, scope),
    ...(addressed.keys ? [`${keyIn(scope)} = ANY(${bindKeys(addressed.keys, scope)})`] : []),
  ];
}

function bindKeys(keys: readonly unknown[], scope: Scope): string {
  const column = scope.collection.columns.get(scope.collection.key);
  return scope.statement.bind(keys, `${column?.cast ?? 'text'}[]`);
}

/** Each field under the name it is shown by, and what leads to the relations that are read next. */
function compileOutput(query: BoundQuery, scope: Scope): string[] {
  const fields = query.fields.map(
    ({ as, field }) => `${compileCell(field, scope)} AS ${quote(as)}`,
  );
  const links = query.relations.flatMap(({ as, field }) =>
    field.kind === 'to-one' ? [`${compileCell(field, scope)} AS ${quote(linkName(as))}`] : [],
  );
  const lists = query.relations.flatMap(({ as, field }) =>
    field.kind === 'to-many' ? [`${listGranted(field, scope)} AS ${quote(linkName(as))}`] : [],
  );
  return [...fields, ...links, ...lists];
}

/** The key where the list is granted; a list that is not granted is no list. */
function listGranted(field: ToManyShape, scope: Scope): string {
  const grant = scope.view.grant(scope.collection, field.name, scope.alias, scope.statement);
  if (grant === true) return keyIn(scope);
  return grant === false ? 'NULL' : `CASE WHEN ${grant} THEN ${keyIn(scope)} END`;
}

export function compilePage(query: BoundQuery, statement: Statement): string {
  const limit = query.limit === null ? '' : ` LIMIT ${statement.bind(query.limit, 'int8')}`;
  return query.offset === 0 ? limit : `${limit} OFFSET ${statement.bind(query.offset, 'int8')}`;
}

/** Counts stand beside the rows, also where the page is empty. */
function withCounts(
  query: BoundQuery,
  rows: string,
  view: TableView,
  meta: Meta,
  statement: Statement,
): string {
  const count = (narrowed: boolean): string => {
    const scope = rootScope(query.collection, view, statement);
    const there = view.rows(scope.collection, scope.alias, statement);
    const where = narrowed ? and(there, ...conditions(query, {}, scope)) : there;
    return `(SELECT count(*) FROM ${scope.collection.table} ${scope.alias} WHERE ${where})`;
  };
  const counts = [
    ...(meta.total ? [`${count(false)} AS ${quote(TOTAL)}`] : []),
    ...(meta.filtered ? [`${count(true)} AS ${quote(FILTERED)}`] : []),
  ];
  return `SELECT counts.*, page.* FROM (SELECT ${counts.join(', ')}) counts LEFT JOIN (SELECT numbered.*, row_number() OVER () AS ${quote(NUMBER)} FROM (${rows}) numbered) page ON TRUE ORDER BY page.${quote(NUMBER)}`;
}

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
  parent: Collection,
  view: TableView,
  keys: readonly unknown[],
): Compiled {
  const statement = new Statement();
  const cast = parent.columns.get(parent.key)?.cast ?? 'text';
  const parents = statement.bind(keys, `${cast}[]`);
  const list = listOf(
    field,
    { collection: parent, alias: 'parent', view, statement },
    'parent.key',
  );
  const where = and(list.where, ...conditions(query, {}, list.inner));
  const output = compileOutput(query, list.inner).join(', ');
  const rows = `SELECT ${output} FROM ${list.from} WHERE ${where} ORDER BY ${compileSort(query.sort, list.inner)}${compilePage(query, statement)}`;
  return statement.compiled(
    `SELECT parent.key AS ${quote(PARENT)}, child.* FROM unnest(${parents}) AS parent(key) CROSS JOIN LATERAL (SELECT numbered.*, row_number() OVER () AS ${quote(NUMBER)} FROM (${rows}) numbered) child ORDER BY parent.key, child.${quote(NUMBER)}`,
  );
}
