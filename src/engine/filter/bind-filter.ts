import type { ColumnType } from '../schema/parsed';
import { parseValue } from '../schema/parse-value';
import { isNumeric, type ScalarType } from '../schema/schema';
import { type Cell, digitsOf, textOf, type Value } from '../schema/value';
import { withinColumn } from './compare-numbers';
import {
  allOf,
  anyOf,
  type BoundFilter,
  type Filter,
  type Leaf,
  nothing,
  type Term,
  expressionType,
} from './filter';
import { PatternSize } from './filter-size';
import { isSubstringTest } from './operators';
import { resolveNow, type Variable, type VariableSource, variableType } from './variables';

/** Thrown to the outermost `_none`: an undecidable clause inside it must not make it true. */
class Valueless extends Error {}

/**
 * Replaces variables by the caller's values. A variable without a value makes its clause false whatever the operator;
 * under `_none` the outermost enclosing `_none` is false. These count as no value: null, a missing row, an empty
 * list, a list with a null, a text that the column cannot hold or that is too long to search for within others. A number
 * always has one: it is compared with numbers of any type.
 * @param missing called with each variable that had no value, for explaining
 * @param admits called for each text to search for within others, whether literal or from a variable
 */
export function bindFilter(
  filter: Filter,
  source: VariableSource,
  missing: (variable: Variable) => void = () => undefined,
  admits = admitsShort(),
): BoundFilter {
  return new Binder(source, missing, admits).bind(filter, false);
}

/**
 * Whether a text may be searched for within others.
 * @throws to end the binding
 */
export type AdmitsPattern = (pattern: string, leaf: Leaf<Term>) => boolean;

function admitsShort(): AdmitsPattern {
  const size = new PatternSize();
  return (pattern) => size.add(pattern) === undefined;
}

class Binder {
  constructor(
    private readonly source: VariableSource,
    private readonly missing: (variable: Variable) => void,
    private readonly admits: AdmitsPattern,
  ) {}

  bind(filter: Filter, underNone: boolean): BoundFilter {
    switch (filter.kind) {
      case 'and':
        return allOf(filter.of.map((member) => this.bind(member, underNone)));
      case 'or':
        return anyOf(filter.of.map((member) => this.bind(member, underNone)));
      case 'to-one':
        return { ...filter, filter: this.bind(filter.filter, underNone) };
      case 'to-many':
        return this.bindMany(filter, underNone);
      case 'leaf':
        return this.bindLeaf(filter, underNone);
    }
  }

  private bindMany(filter: Filter & { kind: 'to-many' }, underNone: boolean): BoundFilter {
    if (filter.quantifier === 'some' || underNone) {
      return { ...filter, filter: this.bind(filter.filter, underNone) };
    }
    try {
      return { ...filter, filter: this.bind(filter.filter, true) };
    } catch (error) {
      if (error instanceof Valueless) return nothing;
      throw error;
    }
  }

  private bindLeaf(leaf: Leaf<Term>, underNone: boolean): BoundFilter {
    const operands = this.operands(leaf);
    if (!operands) {
      if (underNone) throw new Valueless();
      return nothing;
    }
    if (leaf.operands.every((term) => 'literal' in term)) return { ...leaf, operands };
    const type = expressionType(leaf.expression);
    const bound = { ...leaf, operands, variable: true };
    return isNumeric(type.type) ? withinColumn(bound, type) : bound;
  }

  private operands(leaf: Leaf<Term>): Value[] | undefined {
    const values: Value[] = [];
    for (const term of leaf.operands) {
      const found = 'literal' in term ? [term.literal] : this.values(term.variable, leaf);
      if (!found) return undefined;
      if (isSubstringTest(leaf.test) && !this.admitsAll(found, leaf, term)) return undefined;
      for (const value of found) values.push(value);
    }
    return values;
  }

  private admitsAll(values: readonly Value[], leaf: Leaf<Term>, term: Term): boolean {
    if (values.every((value) => this.admits(textOf(value), leaf))) return true;
    if ('variable' in term) this.missing(term.variable);
    return false;
  }

  private values(variable: Variable, leaf: Leaf<Term>): readonly Value[] | undefined {
    const type = expressionType(leaf.expression);
    const column: ColumnType = type.type === 'text' ? { type: 'text' } : type;
    const cells = valuesOf(variable, this.source);
    const values = isNumeric(type.type) ? cells : cells?.map((cell) => fitCell(cell, column));
    if (values?.every((value) => value !== null)) return values;
    this.missing(variable);
    return undefined;
  }
}

/** A variable's values as a list that is not empty; undefined where it has none. */
export function valuesOf(variable: Variable, source: VariableSource): readonly Cell[] | undefined {
  if (variable.kind === 'now') return [resolveNow(variable, source.now)];
  const value = source.valueOf(variable);
  if (value === undefined || value === null) return undefined;
  if (variableType(variable).many) return isFilled(value) ? value : undefined;
  return [value as Value];
}

const isFilled = (value: unknown): value is readonly Cell[] =>
  Array.isArray(value) && value.length > 0;

/** A variable's value as the column would hold it, an instant as its date in UTC; null where it cannot. */
export function fitCell(cell: Cell, column: ColumnType): Cell {
  if (cell === null) return null;
  const { type, element = 'text' } = column;
  const fitted = parseValue(
    column,
    type === 'array' && Array.isArray(cell)
      ? cell.map((member: Cell) => writtenAs(element, member))
      : writtenAs(type, cell),
  );
  return 'misfit' in fitted ? null : fitted.value;
}

/** A cell as a value of another type would be sent. */
function writtenAs(type: ScalarType, cell: Cell): Cell {
  if (cell === null) return null;
  if (type === 'date') return textOf(cell).slice(0, 10);
  const isWritten = !isNumeric(type) || (type === 'decimal' && typeof cell === 'string');
  return isWritten ? cell : digitsOf(cell);
}

/** Whether the filter contains a variable for which `is` holds. */
export function usesVariable(filter: Filter, is: (variable: Variable) => boolean): boolean {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.of.some((member) => usesVariable(member, is));
    case 'to-one':
    case 'to-many':
      return usesVariable(filter.filter, is);
    case 'leaf':
      return filter.operands.some((term) => 'variable' in term && is(term.variable));
  }
}
