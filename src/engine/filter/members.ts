import { memoize } from '../memoize';
import { canonical, type Value } from '../schema/value';
import { type BoundLeaf, expressionType } from './filter';

/** The operands of a list, each in the form in which equal values are the same: a list may be long, and rows many. */
export const membersOf = memoize((leaf: BoundLeaf): ReadonlySet<Value> => {
  const { type } = expressionType(leaf.expression);
  return new Set(leaf.operands.map((operand) => canonical(type, operand)));
});
