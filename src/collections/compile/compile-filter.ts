import {
  type BoundFilter,
  type BoundLeaf,
  holdsForNull,
  type ThroughMany,
  type ThroughOne,
  type ToManyShape,
  type Value,
} from '../../access';
import { type Collection, columnOf } from '../registry/collection';
import { compileLeaf } from './compile-leaf';
import { compileFunction } from './compile-subject';
import { and, or, type Statement } from './statement';
import type { SqlGrant, TableView } from './table-view';

/** Where a filter is compiled: of which collection, under which name, as whom, into what. */
export interface Scope {
  readonly collection: Collection;
  readonly alias: string;
  readonly view: TableView;
  readonly statement: Statement;
}

/**
 * A filter as an SQL condition that is true where the filter holds, and false or NULL where it does not.
 * Nothing here is ever negated from outside but by NOT EXISTS. The twin of `evaluateFilter`.
 */
export function compileFilter(filter: BoundFilter, scope: Scope): string {
  switch (filter.kind) {
    case 'and':
      return and(...filter.of.map((member) => compileFilter(member, scope)));
    case 'or':
      return or(...filter.of.map((member) => compileFilter(member, scope)));
    case 'to-one':
      return compileToOne(filter, scope);
    case 'to-many':
      return compileToMany(filter, scope);
    case 'leaf':
      return compileGranted(filter, scope);
  }
}

const grantIn = (scope: Scope, field: string): SqlGrant =>
  scope.view.grant(scope.collection, field, scope.alias, scope.statement);

/** A cell that is not granted is NULL: a leaf that is false on NULL needs the grant, one that is true does without. */
function compileGranted(leaf: BoundLeaf, scope: Scope): string {
  const grant = grantIn(scope, leaf.subject.field.name);
  if (grant === false) return holdsForNull(leaf) ? 'TRUE' : 'FALSE';
  const condition = compileSubjectLeaf(leaf, scope);
  if (grant === true) return condition;
  return holdsForNull(leaf) ? or(`(${grant}) IS NOT TRUE`, condition) : and(grant, condition);
}

function compileSubjectLeaf(leaf: BoundLeaf, scope: Scope): string {
  const { field, fn } = leaf.subject;
  if (field.kind === 'to-many') {
    return compileLeaf(leaf, countOf(field, scope), undefined, scope.statement);
  }
  const column = columnOf(scope.collection, field.name);
  const cell = `${scope.alias}.${column.sql}`;
  return fn === null
    ? compileLeaf(leaf, cell, column, scope.statement)
    : compileLeaf(leaf, compileFunction(fn, cell, column), undefined, scope.statement);
}

/** The target is there for the reader, through a key that they see, and meets the filter. */
function compileToOne(clause: ThroughOne<Value>, scope: Scope): string {
  const grant = grantIn(scope, clause.field.name);
  if (grant === false) return 'FALSE';
  const target = scope.view.registry.table(clause.field.target);
  const inner: Scope = { ...scope, collection: target, alias: scope.statement.alias() };
  const link = `${inner.alias}.${columnOf(target, target.key).sql} = ${scope.alias}.${columnOf(scope.collection, clause.field.name).sql}`;
  const exists = `EXISTS (SELECT 1 FROM ${target.table} ${inner.alias} WHERE ${and(
    link,
    scope.view.rows(target, inner.alias, scope.statement),
    compileFilter(clause.filter, inner),
  )})`;
  return grant === true ? exists : and(grant, exists);
}

/** A list that is not granted is NULL: `_some` is false on it, `_none` true. */
function compileToMany(clause: ThroughMany<Value>, scope: Scope): string {
  const grant = grantIn(scope, clause.field.name);
  const none = clause.quantifier === 'none';
  if (grant === false) return none ? 'TRUE' : 'FALSE';
  const list = listOf(clause.field, scope);
  const rows = `EXISTS (SELECT 1 FROM ${list.from} WHERE ${and(list.where, compileFilter(clause.filter, list.inner))})`;
  if (!none) return grant === true ? rows : and(grant, rows);
  return grant === true ? `NOT ${rows}` : or(`(${grant}) IS NOT TRUE`, `NOT ${rows}`);
}

/** The size of a list as SQL: of the rows that are there for the reader. */
export function countOf(field: ToManyShape, scope: Scope): string {
  const list = listOf(field, scope);
  return `(SELECT count(*) FROM ${list.from} WHERE ${list.where})::int4`;
}

export interface ListSource {
  readonly from: string;
  readonly where: string;
  /** The scope of the list's own rows. */
  readonly inner: Scope;
  /** The scope of the junction's rows, for a list through one. */
  readonly links?: Scope;
}

/**
 * The rows of a list: those of the target whose foreign key, as the reader sees it, is the parent's key; or those
 * that a link leads to which the reader sees.
 * @param parentKey the parent's key as SQL; by default the scope's own row
 */
export function listOf(field: ToManyShape, scope: Scope, parentKey = keyIn(scope)): ListSource {
  const { statement, view } = scope;
  const target = view.registry.table(field.target);
  const inner: Scope = { ...scope, collection: target, alias: statement.alias() };
  const there = view.rows(target, inner.alias, statement);
  if (!field.through) {
    const link = seenKey(inner, field.foreignKey ?? '', parentKey);
    return { from: `${target.table} ${inner.alias}`, where: and(link, there), inner };
  }
  const { collection, near, far } = field.through;
  const junction = view.registry.table(collection);
  const links: Scope = { ...scope, collection: junction, alias: statement.alias() };
  return {
    from: `${junction.table} ${links.alias} JOIN ${target.table} ${inner.alias} ON ${seenKey(links, far, keyIn(inner))}`,
    where: and(seenKey(links, near, parentKey), view.rows(junction, links.alias, statement), there),
    inner,
    links,
  };
}

export const keyIn = (scope: Scope): string =>
  `${scope.alias}.${columnOf(scope.collection, scope.collection.key).sql}`;

/** A foreign key equals another row's key, where the reader sees it. */
function seenKey(scope: Scope, field: string, key: string): string {
  const grant = grantIn(scope, field);
  if (grant === false) return 'FALSE';
  const link = `${scope.alias}.${columnOf(scope.collection, field).sql} = ${key}`;
  return grant === true ? link : and(link, grant);
}
