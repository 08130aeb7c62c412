import type { ColumnType } from '../schema/parsed';
import type { FieldShape, ToManyShape, ToOneShape } from '../schema/schema';
import type { Value } from '../schema/value';
import type { FunctionName } from './functions';
import type { Test } from './operators';
import type { Variable } from './variables';

/** What a leaf compares: a column, a function of one, or the size of a list. */
export interface FieldExpression {
  readonly field: FieldShape;
  readonly fn: FunctionName | null;
}

/** The type that the subject is compared as: a function gives an integer, a column its own type. */
export function expressionType(expression: FieldExpression): ColumnType {
  if (expression.fn !== null || expression.field.kind === 'to-many') return FUNCTION_RESULT;
  return expression.field;
}

const FUNCTION_RESULT: ColumnType = {
  type: 'integer',
  range: { min: -2147483648n, max: 2147483647n },
};

/** A literal, or a variable that the caller gives a value. */
export type Term = { readonly literal: Value } | { readonly variable: Variable };

/** Operands as written: one term, or for lists and bounds several. */
export type Operand = readonly Term[];

/**
 * One test of one subject. `negated` inverts the answer, also for NULL: no test is ever unknown. Operands: `null` and
 * `empty` have none, `in` any number, `between` two, all others one.
 */
export interface Leaf<O> {
  readonly kind: 'leaf';
  readonly expression: FieldExpression;
  readonly test: Test;
  readonly negated: boolean;
  readonly operands: readonly O[];
  /** An operand was a variable: a caller's value, not one written in the rule. */
  readonly variable?: boolean;
  /** The test as the rule has it, where it was replaced by another that means the same for the column. */
  readonly written?: Test;
}

/** Members that must all hold; an empty list is true. */
export interface AllOf<O> {
  readonly kind: 'and';
  readonly of: readonly FilterTree<O>[];
}

/** Members of which one must hold; an empty list is false. */
export interface AnyOf<O> {
  readonly kind: 'or';
  readonly of: readonly FilterTree<O>[];
}

/** The related row exists for the reader, and matches the filter. */
export interface ThroughOne<O> {
  readonly kind: 'to-one';
  readonly field: ToOneShape;
  readonly filter: FilterTree<O>;
}

/** Some related row matches the filter, or none does. */
export interface ThroughMany<O> {
  readonly kind: 'to-many';
  readonly field: ToManyShape;
  readonly quantifier: 'some' | 'none';
  readonly filter: FilterTree<O>;
}

export type FilterTree<O> = Leaf<O> | AllOf<O> | AnyOf<O> | ThroughOne<O> | ThroughMany<O>;

/** A filter as written: operands may be variables. */
export type Filter = FilterTree<Term>;
/** A filter with every variable replaced: the input of both interpreters. */
export type BoundFilter = FilterTree<Value>;
export type BoundLeaf = Leaf<Value>;
export type Through<O> = ThroughOne<O> | ThroughMany<O>;

export const everything: AllOf<never> = { kind: 'and', of: [] };
export const nothing: AnyOf<never> = { kind: 'or', of: [] };

export const isEverything = (filter: FilterTree<unknown>): boolean =>
  filter.kind === 'and' && filter.of.length === 0;
const isNothing = (filter: FilterTree<unknown>): boolean =>
  filter.kind === 'or' && filter.of.length === 0;

/** Whether it holds for every row, whatever its variables' values. */
export function alwaysHolds(filter: FilterTree<unknown>): boolean {
  if (filter.kind === 'and') return filter.of.every(alwaysHolds);
  return filter.kind === 'or' && filter.of.some(alwaysHolds);
}

/** Joins filters with AND, dropping what is always true. */
export function allOf<O>(filters: readonly FilterTree<O>[]): FilterTree<O> {
  if (filters.some(isNothing)) return nothing;
  const kept = filters.filter((filter) => !isEverything(filter));
  const [only] = kept;
  return kept.length === 1 && only ? only : { kind: 'and', of: kept };
}

/** Joins filters with OR; nothing to join is false. */
export function anyOf<O>(filters: readonly FilterTree<O>[]): FilterTree<O> {
  if (filters.some(isEverything)) return everything;
  const kept = filters.filter((filter) => !isNothing(filter));
  const [only] = kept;
  return kept.length === 1 && only ? only : { kind: 'or', of: kept };
}

/** Whether the leaf holds for a cell that is NULL. */
export const holdsForNull = (leaf: Leaf<unknown>): boolean =>
  (leaf.test === 'null' || leaf.test === 'empty') !== leaf.negated;

/** As many values of a list cost as much as another leaf. */
const VALUES_OF_NODE = 100;

/** The size of a filter: its leaves, with their lists, and the relations it goes through. */
export function filterNodes(filter: FilterTree<unknown>): number {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.of.reduce((sum, member) => sum + filterNodes(member), 0);
    case 'to-one':
    case 'to-many':
      return 1 + filterNodes(filter.filter);
    case 'leaf':
      return Math.max(1, Math.ceil(filter.operands.length / VALUES_OF_NODE));
  }
}
