import { type Neighbours, neighboursOf } from '../schema/neighbours';
import type { ColumnType } from '../schema/parsed';
import type { Value } from '../schema/value';
import type { BoundLeaf } from './filter';
import type { Test } from './operators';

/**
 * A comparison of a column with numbers of any type, as the same one with numbers that the column can hold: of
 * integers, `< 99.5` is `< 100`, and `= 99.5` is to be in an empty list. So no interpreter compares numbers of two
 * types, and an index of the column serves.
 */
export function withinColumn(leaf: BoundLeaf, column: ColumnType): BoundLeaf {
  const numbers = leaf.operands.map((number) => neighboursOf(number, column));
  const [{ below, above } = {}, second] = numbers;
  switch (leaf.test) {
    case 'lt':
      return above === undefined ? compare(leaf, 'lte', below) : compare(leaf, 'lt', above);
    case 'gt':
      return below === undefined ? compare(leaf, 'gte', above) : compare(leaf, 'gt', below);
    case 'lte':
      return compare(leaf, 'lte', below);
    case 'gte':
      return compare(leaf, 'gte', above);
    case 'between':
      return compare(leaf, 'between', above, second?.below);
    case 'eq':
      return compare(leaf, 'eq', ...numbers.map(heldBy));
    default:
      return { ...leaf, operands: numbers.map(heldBy).filter((number) => number !== undefined) };
  }
}

/** The number itself, where the column can hold it. */
const heldBy = ({ below, above }: Neighbours): Value | undefined =>
  Object.is(below, above) ? below : undefined;

/** Without a value to compare with, it holds for none. */
function compare(
  leaf: BoundLeaf,
  test: Test,
  ...operands: readonly (Value | undefined)[]
): BoundLeaf {
  const values = operands.filter((operand) => operand !== undefined);
  if (values.length < operands.length)
    return { ...leaf, test: 'in', operands: [], written: leaf.test };
  return { ...leaf, test, operands: values, ...(test !== leaf.test && { written: leaf.test }) };
}
