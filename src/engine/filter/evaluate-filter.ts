import { canonical, type Cell, compareValues, textOf, type Value } from '../schema/value';
import {
  type BoundFilter,
  type BoundLeaf,
  type FieldExpression,
  type Through,
  expressionType,
} from './filter';
import { applyFunction } from './functions';
import { membersOf } from './members';
import { patternSteps } from './regex';
import { meetsSearch, searchesText } from './text-search';

/** A row as read by the evaluation in memory. */
export interface RowView {
  cell(field: string): Cell;
  /** The number of rows of a list; null where the list itself is masked. */
  count(field: string): number | null;
  /** Whether a clause about related rows holds. */
  related(clause: Through<Value>): boolean;
  /**
   * Whether another pattern may still be searched for in the row; otherwise it counts as not found.
   * @param steps the instructions that this may take; a row may take `MAX_STEPS` in all
   */
  affords?(steps: number): boolean;
  /** The answers of leaves that search a text: each may take long, and is needed several times. */
  readonly known?: Map<BoundLeaf, boolean>;
}

/** Whether the row meets the filter. The twin of `compileFilter`: both must agree on every input. */
export function evaluateFilter(filter: BoundFilter, row: RowView): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.of.every((member) => evaluateFilter(member, row));
    case 'or':
      return filter.of.some((member) => evaluateFilter(member, row));
    case 'to-one':
    case 'to-many':
      return row.related(filter);
    case 'leaf':
      return evaluateLeaf(filter, row);
  }
}

export function evaluateLeaf(leaf: BoundLeaf, row: RowView): boolean {
  if (!row.known || !searchesText(leaf)) return askLeaf(leaf, row);
  const known = row.known.get(leaf) ?? askLeaf(leaf, row);
  row.known.set(leaf, known);
  return known;
}

function askLeaf(leaf: BoundLeaf, row: RowView): boolean {
  const cell = readExpression(leaf.expression, row);
  if (leaf.test === 'regex' && !isAffordable(leaf, cell, row)) return false;
  return holds(leaf, cell) !== leaf.negated;
}

function isAffordable({ operands: [pattern] }: BoundLeaf, cell: Cell, row: RowView): boolean {
  if (cell === null || pattern === undefined || !row.affords) return true;
  return row.affords(patternSteps(textOf(pattern), textOf(cell)));
}

/** @returns the value that a leaf compares */
function readExpression(expression: FieldExpression, row: RowView): Cell {
  if (expression.field.kind === 'to-many') return row.count(expression.field.name);
  const cell = row.cell(expression.field.name);
  return expression.fn === null ? cell : applyFunction(expression.fn, cell);
}

function holds(leaf: BoundLeaf, cell: Cell): boolean {
  if (leaf.test === 'null') return cell === null;
  if (leaf.test === 'empty') return cell === null || cell === '' || isEmptyList(cell);
  return cell !== null && compares(leaf, cell);
}

const isEmptyList = (cell: Cell): boolean => Array.isArray(cell) && cell.length === 0;

function compares(leaf: BoundLeaf, cell: Value): boolean {
  const { type } = expressionType(leaf.expression);
  const order = (operand: Value | undefined): number =>
    operand === undefined ? NaN : compareValues(type, cell, operand);
  const [first, second] = leaf.operands;
  switch (leaf.test) {
    case 'eq':
      return order(first) === 0;
    case 'lt':
      return order(first) < 0;
    case 'lte':
      return order(first) <= 0;
    case 'gt':
      return order(first) > 0;
    case 'gte':
      return order(first) >= 0;
    case 'in':
      return membersOf(leaf).has(canonical(type, cell));
    case 'between':
      return order(first) >= 0 && order(second) <= 0;
    case 'contains':
    case 'icontains':
    case 'starts_with':
    case 'istarts_with':
    case 'ends_with':
    case 'iends_with':
    case 'regex':
      return first !== undefined && meetsSearch(leaf.test, textOf(cell), textOf(first));
    case 'null':
    case 'empty':
      return false;
  }
}

/** The leaves and relation clauses that the row does not meet; none where it meets the filter. */
export function failedClauses(filter: BoundFilter, row: RowView): (BoundLeaf | Through<Value>)[] {
  if (evaluateFilter(filter, row)) return [];
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.of.flatMap((member) => failedClauses(member, row));
    case 'to-one':
    case 'to-many':
    case 'leaf':
      return [filter];
  }
}
