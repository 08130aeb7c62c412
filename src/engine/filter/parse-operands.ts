import { malformed } from '../access-fault';
import { type FieldLookup, isNumeric, type ScalarType } from '../schema/schema';
import type { ColumnType } from '../schema/parsed';
import { isStorableText, parseValue } from '../schema/parse-value';
import { type Operand, type FieldExpression, type Term, expressionType } from './filter';
import { arityOf, type Test } from './operators';
import { isLinearPattern, LINEAR_PATTERN } from './regex';
import { looksLikeVariable, parseVariable, type Variable, variableType } from './variables';
import { FILTER_LIMITS } from './filter-size';

interface OperandSetting {
  readonly lookup: FieldLookup;
  readonly position: 'rule' | 'query';
}

/**
 * Reads the operand of an operator.
 * @returns the terms, and for `_null: false` and the like that the test is negated
 */
export function parseOperands(
  raw: unknown,
  expression: FieldExpression,
  test: Test,
  setting: OperandSetting,
  path: readonly string[],
): { readonly operands: Operand; readonly negated: boolean } {
  const reader = new OperandReader(operandType(expression), setting);
  switch (arityOf(test)) {
    case 'flag':
      return { operands: [], negated: !parseFlag(raw, path) };
    case 'one':
      return { operands: [reader.one(raw, path)], negated: false };
    case 'list':
      return { operands: reader.list(raw, path), negated: false };
    case 'pair':
      return { operands: reader.pair(raw, path), negated: false };
    case 'pattern':
      return { operands: [parsePattern(raw, path)], negated: false };
  }
}

/** An operand may be longer than the column allows: it then matches nothing, which is no fault. */
function operandType(expression: FieldExpression): ColumnType {
  const type = expressionType(expression);
  return type.type === 'text' ? { type: 'text' } : type;
}

export function parseFlag(raw: unknown, path: readonly string[]): boolean {
  if (raw === true || raw === 'true') return true;
  if (raw === false || raw === 'false') return false;
  throw malformed(path, 'must be true or false');
}

function parsePattern(raw: unknown, path: readonly string[]): Term {
  if (typeof raw !== 'string' || !isStorableText(raw) || !isLinearPattern(raw)) {
    throw malformed(path, `must be a regular expression ${LINEAR_PATTERN}`);
  }
  return { literal: raw };
}

class OperandReader {
  constructor(
    private readonly column: ColumnType,
    private readonly setting: OperandSetting,
  ) {}

  one(raw: unknown, path: readonly string[]): Term {
    const term = this.term(raw, path);
    if ('variable' in term && variableType(term.variable).many) {
      throw malformed(path, 'is a list of values and needs _in or _nin');
    }
    return term;
  }

  list(raw: unknown, path: readonly string[]): Operand {
    const members = this.members(raw);
    if (typeof raw === 'string' && looksLikeVariable(raw) && !(members && members.length > 1))
      return [this.term(raw, path)];
    if (!members) throw malformed(path, 'must be a list');
    if (members.length > FILTER_LIMITS.list) {
      throw malformed(path, `must have at most ${FILTER_LIMITS.list} members`);
    }
    return members.map((member, index) => this.term(member, [...path, String(index)]));
  }

  pair(raw: unknown, path: readonly string[]): Operand {
    const members = this.members(raw);
    if (members?.length !== 2) throw malformed(path, 'must be a list of two bounds');
    return members.map((member, index) => this.one(member, [...path, String(index)]));
  }

  /** A query string may separate the members by commas. A rule is always JSON: a text for a list is a mistake. */
  private members(raw: unknown): readonly unknown[] | undefined {
    if (typeof raw === 'string' && this.setting.position === 'query') return raw.split(',');
    return Array.isArray(raw) ? raw : undefined;
  }

  private term(raw: unknown, path: readonly string[]): Term {
    if (raw === null || raw === undefined) throw malformed(path, 'must not be null (use _null)');
    if (typeof raw === 'string' && looksLikeVariable(raw)) return this.variable(raw, path);
    const literal = parseValue(this.column, booleanText(this.column.type, raw));
    if ('misfit' in literal) throw malformed(path, literal.reason);
    return { literal: literal.value };
  }

  private variable(raw: string, path: readonly string[]): Term {
    const variable: Variable = parseVariable(raw, this.setting.lookup, path);
    if (!isComparable(variableType(variable).type, this.column.type)) {
      throw malformed(
        path,
        `is ${raw}, which cannot be compared with a value of type ${this.column.type}`,
      );
    }
    return { variable };
  }
}

/** A query string has no booleans. */
const booleanText = (type: ScalarType, raw: unknown): unknown =>
  type === 'boolean' && (raw === 'true' || raw === 'false') ? raw === 'true' : raw;

const NAMES: readonly ScalarType[] = ['text', 'enum', 'uuid'];

/** Whether a variable of one type can be the operand of a column of another. */
export function isComparable(variable: ScalarType, column: ScalarType): boolean {
  return (
    variable === column ||
    (isNumeric(variable) && isNumeric(column)) ||
    (NAMES.includes(variable) && NAMES.includes(column)) ||
    (variable === 'timestamp' && column === 'date')
  );
}
