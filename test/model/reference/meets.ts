import Big from 'big.js';
import {
  applyFunction,
  type Cell,
  evaluateLeaf,
  type FieldShape,
  type FunctionName,
  OPERATORS,
  parseValue,
  type ScalarType,
  type Value,
} from '../../../src/engine';
import { fieldOf } from '../tables';
import type { RawFilter } from '../world';
import { listOf, type SeenRow, type Tables, targetOf } from './seen';
import { isVariable, type ValuesOf } from './variables';

/** The tables on which a filter is evaluated, and the values of its variables. */
export interface Reading {
  readonly tables: Tables;
  readonly valuesOf: ValuesOf;
}

/** The subject of a condition. */
export interface Tested {
  readonly field: FieldShape;
  readonly fn: FunctionName | null;
}

const entries = (raw: unknown): [string, unknown][] => Object.entries((raw ?? {}) as RawFilter);
const members = (raw: unknown): readonly unknown[] => raw as readonly unknown[];

/** Whether a row meets a filter, evaluated from the filter as it is written. */
export const meets = (raw: unknown, collection: string, row: SeenRow, reading: Reading): boolean =>
  entries(raw).every(([name, value]) => meetsMember(name, value, collection, row, reading));

function meetsMember(
  name: string,
  raw: unknown,
  collection: string,
  row: SeenRow,
  reading: Reading,
): boolean {
  if (name === '_and') return members(raw).every((each) => meets(each, collection, row, reading));
  if (name === '_or') return members(raw).some((each) => meets(each, collection, row, reading));
  const tested = testedBy(name, collection);
  return entries(written(raw)).every(([word, value]) => {
    if (isSize(word) && tested.field.kind === 'to-many' && tested.fn === null)
      return relates(tested.field, hasNone(word, value) ? '_none' : '_some', {}, row, reading);
    if (OPERATORS.has(word)) return passes(tested, word, value, row, reading);
    const rest = word === '_some' || word === '_none' ? value : withoutWords(raw);
    return relates(tested.field, word, rest, row, reading);
  });
}

/** In a query a plain value instead of operators means `_eq`. */
export const isShort = (raw: unknown): boolean => typeof raw !== 'object';
export const written = (raw: unknown): unknown => (isShort(raw) ? { _eq: raw } : raw);

const isSize = (word: string): boolean => word === '_null' || word === '_nnull';
/** Whether it requires that a list has no members. */
const hasNone = (word: string, value: unknown): boolean =>
  (word === '_null') === (String(value) === 'true');

/** `place`, `year(date)` or `count(notes)`. */
export function testedBy(name: string, collection: string): Tested {
  const [, fn = null, argument = name] = /^(\w+)\((\w+)\)$/.exec(name) ?? [];
  return { field: fieldOf(collection, argument), fn: fn as FunctionName | null };
}

/** The members that are neither operators nor quantifiers: together they are about one related row. */
const withoutWords = (raw: unknown): RawFilter =>
  Object.fromEntries(
    entries(raw).filter(([word]) => !OPERATORS.has(word) && word !== '_some' && word !== '_none'),
  );

function relates(
  field: FieldShape,
  word: string,
  raw: unknown,
  row: SeenRow,
  reading: Reading,
): boolean {
  if (field.kind === 'column') throw new Error(`${word} is no operator`);
  if (field.kind === 'to-one') {
    const target = targetOf(reading.tables, row, field);
    return target !== undefined && meets(raw, field.target, target, reading);
  }
  const list = listOf(reading.tables, row, field) ?? [];
  const found = list.some((each) => meets(raw, field.target, each, reading));
  return word === '_none' ? !lacksValue(raw, field.target, reading) && !found : found;
}

/** Whether a filter contains a variable without a value: then no `_none` around it is true. */
function lacksValue(raw: unknown, collection: string, reading: Reading): boolean {
  return entries(raw).some(([name, value]) => {
    if (name === '_and' || name === '_or')
      return members(value).some((each) => lacksValue(each, collection, reading));
    const tested = testedBy(name, collection);
    return entries(written(value)).some(([word, inner]) => {
      if (OPERATORS.has(word)) return operandsOf(tested, word, inner, reading) === undefined;
      const target = tested.field.kind === 'column' ? '' : tested.field.target;
      const quantified = word === '_some' || word === '_none';
      return lacksValue(quantified ? inner : { [word]: inner }, target, reading);
    });
  });
}

function passes(
  { field, fn }: Tested,
  word: string,
  raw: unknown,
  row: SeenRow,
  reading: Reading,
): boolean {
  const meaning = OPERATORS.get(word);
  const operands = operandsOf({ field, fn }, word, raw, reading);
  if (!meaning || operands === undefined) return false;
  const negated = meaning.negated !== (isFlag(word) && String(raw) === 'false');
  const leaf = { kind: 'leaf', test: meaning.test, negated } as const;
  const view = {
    cell: (name: string) => row.cells[name] ?? null,
    count: () =>
      field.kind === 'to-many' ? (listOf(reading.tables, row, field)?.length ?? null) : null,
    related: () => false,
  };
  const expression = { field, fn };
  if (!isNumber(expression)) return evaluateLeaf({ ...leaf, expression, operands }, view);
  const cell = fn === null ? view.cell(field.name) : (view.count() ?? callOn(fn, field, row));
  return evaluateLeaf(
    { ...leaf, expression: DECIMAL, operands: operands.map(decimalOf) },
    { ...view, cell: () => (cell === null ? null : decimalOf(cell)) },
  );
}

const callOn = (fn: FunctionName, { name }: FieldShape, row: SeenRow): Cell =>
  applyFunction(fn, row.cells[name] ?? null);

/** Numbers of all types are compared as decimals. */
const DECIMAL: Tested = {
  field: {
    kind: 'column',
    ...{ name: '', type: 'decimal', nullable: true, concealed: false, hasDefault: false },
  },
  fn: null,
};

const isNumber = ({ field, fn }: Tested): boolean =>
  fn !== null ||
  field.kind === 'to-many' ||
  ['integer', 'bigint', 'decimal', 'double'].includes(field.type);

/** A number without an exponent, as JavaScript and PostgreSQL show doubles. */
function decimalOf(number: Value): string {
  const text = String(number as string | number);
  return /\d/.test(text) ? new Big(text).toFixed() : text;
}

const isFlag = (word: string): boolean => /^_n?(null|empty)$/.test(word);

/** The values of an operator; undefined if one of them is a variable without a value. */
function operandsOf(
  { field, fn }: Tested,
  word: string,
  raw: unknown,
  { valuesOf }: Reading,
): Value[] | undefined {
  if (isFlag(word)) return [];
  const written = Array.isArray(raw) ? (raw as unknown[]) : [raw];
  const values: Value[] = [];
  for (const each of written) {
    const found = isVariable(each) ? valuesOf(each) : [each];
    if (found.length === 0) return undefined;
    for (const one of found) {
      const isValue = one !== null && isVariable(each) && isNumber({ field, fn });
      const fitted = one === null ? null : isValue ? one : fit(field, fn, one, isVariable(each));
      if (fitted === null) return undefined;
      values.push(fitted as Value);
    }
  }
  return values;
}

/** A variable's value as a client would send it: a moment as its date, a number in plain digits. */
function asSent(raw: unknown, type: ScalarType): unknown {
  if (type === 'date') return String(raw).slice(0, 10);
  if (type === 'integer' || type === 'bigint' || typeof raw === 'number')
    return decimalOf(raw as Value);
  return raw;
}

/** A value as the column would hold it, a moment as its date; null if the column cannot hold it. */
export function fit(field: FieldShape, fn: string | null, raw: unknown, variable: boolean): Cell {
  if (fn !== null || field.kind === 'to-many') return Number(raw);
  const { type } = field;
  const text = variable ? asSent(raw, type) : raw;
  const value = type === 'boolean' && typeof raw === 'string' ? raw === 'true' : text;
  const parsed = parseValue(type === 'text' ? { type } : field, value);
  return 'misfit' in parsed ? null : parsed.value;
}
