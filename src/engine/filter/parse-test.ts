import { malformed } from '../access-fault';
import type { FieldLookup } from '../schema/schema';
import {
  everything,
  expressionType,
  type FieldExpression,
  type Filter,
  type Leaf,
  nothing,
  type Term,
} from './filter';
import type { FilterPosition } from './filter-position';
import type { FilterSize } from './filter-size';
import { isSubstringTest, type OperatorMeaning, OPERATORS, supportsTest } from './operators';
import { parseOperands } from './parse-operands';
import { textOf } from '../schema/value';

interface TestSetting {
  readonly lookup: FieldLookup;
  readonly position: 'rule' | 'query';
  readonly regex?: boolean;
  readonly size: FilterSize;
}

/** An operator as sent, with its operand. */
interface SentTest {
  readonly name: string;
  readonly raw: unknown;
  readonly position: FilterPosition;
}

/** Reads one operator with its operands: a leaf of the filter. */
export function parseTest(
  expression: FieldExpression,
  sent: SentTest,
  setting: TestSetting,
): Filter {
  const { raw, position } = sent;
  setting.size.addNode(position);
  const meaning = operatorOf(expression, sent, setting);
  const { path } = position;
  const { operands, negated } = parseOperands(raw, expression, meaning.test, setting, path);
  if (isSubstringTest(meaning.test)) measurePatterns(operands, position, setting);
  const leaf: Leaf<Term> = {
    kind: 'leaf',
    expression,
    test: meaning.test,
    negated: meaning.negated !== negated,
    operands,
  };
  return leaf.test === 'in' ? listed(leaf, position, setting) : leaf;
}

/** Checks literal operands only: the length of a variable's value is known when it is bound. */
function measurePatterns(
  operands: readonly Term[],
  { path }: FilterPosition,
  { size }: TestSetting,
): void {
  for (const term of operands) if ('literal' in term) size.addPattern(textOf(term.literal), path);
}

function operatorOf(
  expression: FieldExpression,
  { name, position }: SentTest,
  { regex }: TestSetting,
): OperatorMeaning {
  const meaning = OPERATORS.get(name);
  if (!meaning) throw malformed(position.path, 'is no operator');
  const { type } = expressionType(expression);
  if (!supportsTest(type, meaning.test))
    throw malformed(position.path, `cannot be used with a value of type ${type}`);
  if (meaning.test === 'regex' && !regex)
    throw malformed(position.path, 'can only be used in the validation of a rule');
  return meaning;
}

/** An empty literal list: `_in` is false; `_nin` is true in a query, and in a rule certainly a mistake. */
function listed(leaf: Leaf<Term>, position: FilterPosition, setting: TestSetting): Filter {
  setting.size.addOperands(leaf.operands.length, position);
  if (leaf.operands.length > 0) return leaf;
  if (!leaf.negated) return nothing;
  if (setting.position === 'rule') throw malformed(position.path, 'must not be empty in a rule');
  return everything;
}
