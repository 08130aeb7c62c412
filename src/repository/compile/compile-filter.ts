import {
  allOf,
  type BoundFilter,
  type BoundLeaf,
  holdsForNull,
  type ThroughMany,
  type ThroughOne,
  type Value,
} from '../../engine';
import { sqlTypeOf } from '../registry/stored-collection';
import { compileLeaf } from './compile-leaf';
import { compileFunction } from './compile-cell';
import { countOf, listOf } from './list-source';
import {
  withoutPullUp,
  cellIn,
  comparedIn,
  fromOf,
  grantIn,
  innerScope,
  keyIn,
  rowsIn,
  type TableScope,
} from './scope';
import { and, or } from './statement';

/**
 * A filter as an SQL condition that is true where the filter holds, and false or NULL where it does not.
 * It is never negated as a whole, except by NOT EXISTS. The twin of `evaluateFilter`.
 *
 * `{status: {_eq: 'live'}, category: {name: {_contains: 'a'}}}`, of articles that the reader sees all of:
 * ```sql
 * (t0."status" = $1::text AND EXISTS (SELECT 1 FROM "categories" t1
 *   WHERE (t1."id" = t0."category" AND t1."name" LIKE $2::text)))
 * ```
 * What the reader's rules say of categories would be in that EXISTS; if the field `status` were granted on their own
 * articles alone, `t0."owner" = $3::uuid` would be added to its leaf.
 */
export function compileFilter(filter: BoundFilter, scope: TableScope): string {
  switch (filter.kind) {
    case 'and':
      return and(...membersOf(filter).map((member) => compileFilter(member, scope)));
    case 'or':
      return or(...filter.of.map((member) => compileFilter(member, withoutPullUp(scope))));
    case 'to-one':
      return compileToOne(filter, scope);
    case 'to-many':
      return compileToMany(filter, scope);
    case 'leaf':
      return compileGranted(filter, scope);
  }
}

/**
 * Members that must all hold, however deeply nested. Members through the same to-one are about one row, so they are
 * merged.
 */
function membersOf(filter: BoundFilter): BoundFilter[] {
  const rows = new Map<BoundFilter | string, BoundFilter[]>();
  for (const member of flatten(filter)) {
    const row = member.kind === 'to-one' ? member.field.name : member;
    rows.set(row, [...(rows.get(row) ?? []), member]);
  }
  return [...rows.values()].flatMap(ofOneRow);
}

const flatten = (filter: BoundFilter): readonly BoundFilter[] =>
  filter.kind === 'and' ? filter.of.flatMap(flatten) : [filter];

function ofOneRow(members: readonly BoundFilter[]): readonly BoundFilter[] {
  const clauses = members.filter((member) => member.kind === 'to-one');
  const [first, second] = clauses;
  if (!first || !second) return members;
  return [{ ...first, filter: allOf(clauses.map((clause) => clause.filter)) }];
}

/** A cell that is not granted is NULL: a leaf that is false on NULL needs the grant, one that is true does not. */
function compileGranted(leaf: BoundLeaf, scope: TableScope): string {
  const { name } = leaf.expression.field;
  return holdsForNull(leaf)
    ? unlessHidden(name, scope, (inner) => compileExpressionLeaf(leaf, inner))
    : whereGranted(name, scope, (inner) => compileExpressionLeaf(leaf, inner));
}

type Compile = (scope: TableScope) => string;

/** A condition on a cell that does not hold where the cell is not granted. */
function whereGranted(field: string, scope: TableScope, compile: Compile): string {
  const grant = grantIn(scope, field);
  if (grant === false) return 'FALSE';
  return grant === true ? compile(scope) : and(grant, compile(scope));
}

/** A condition on a cell that also holds where the cell is not granted. */
function unlessHidden(field: string, scope: TableScope, compile: Compile): string {
  const grant = grantIn(withoutPullUp(scope), field);
  if (grant === false) return 'TRUE';
  return grant === true
    ? compile(scope)
    : or(`(${grant}) IS NOT TRUE`, compile(withoutPullUp(scope)));
}

function compileExpressionLeaf(leaf: BoundLeaf, scope: TableScope): string {
  const { field, fn } = leaf.expression;
  if (field.kind === 'to-many') {
    return compileLeaf(leaf, countOf(field, scope), undefined, scope.statement);
  }
  const column = sqlTypeOf(scope.collection, field.name);
  const cell = comparedIn(scope, field.name);
  return fn === null
    ? compileLeaf(leaf, cell, column, scope.statement)
    : compileLeaf(leaf, compileFunction(fn, cell, column), undefined, scope.statement);
}

/** The target exists for the reader, through a key that they see, and meets the filter. */
function compileToOne({ field, filter }: ThroughOne<Value>, scope: TableScope): string {
  return whereGranted(field.name, scope, () => {
    const { end, inside } = scope.position.exists();
    const target = innerScope(scope, scope.view.registry.table(field.target), inside);
    const link = `${keyIn(target)} = ${cellIn(scope, field.name)}`;
    const where = and(link, rowsIn(target), compileFilter(filter, target));
    return `EXISTS (SELECT 1 FROM ${fromOf(target)} WHERE ${where}${end})`;
  });
}

/** A list that is not granted is NULL: `_some` is false on it, and `_none` is true. */
function compileToMany(
  { field, quantifier, filter }: ThroughMany<Value>,
  scope: TableScope,
): string {
  const exists = (at: TableScope): string => {
    const { end, inside } = at.position.exists();
    const list = listOf(field, at, inside);
    const where = and(list.where, compileFilter(filter, list.inner));
    return `EXISTS (SELECT 1 FROM ${list.from()} WHERE ${where}${end})`;
  };
  return quantifier === 'none'
    ? unlessHidden(field.name, scope, (at) => `NOT ${exists(at)}`)
    : whereGranted(field.name, scope, exists);
}

/** For each filter, whether the row meets it: in one column, since there may be more filters than columns. */
export const metColumn = (scope: TableScope, filters: readonly BoundFilter[]): string => {
  const met = filters.map((filter) => `(${compileFilter(filter, withoutPullUp(scope))}) IS TRUE`);
  return `ARRAY[${met.join(', ')}]::boolean[] AS met`;
};
