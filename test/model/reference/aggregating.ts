import Big from 'big.js';
import { applyFunction, type Cell, type FieldShape, textOf, type Value } from '../../../src/engine';
import type { Computed, Grouping } from '../random/aggregates';
import { fieldOf } from '../tables';
import { shownName } from '../world';
import { meets, type Tested, testedBy } from './meets';
import { listOf, type SeenRow, type Tables } from './seen';
import { namesOf } from './names';
import { isFound } from './searching';
import { askedRows, type Views } from './virtual';

/** A group: its values as text, and the results computed from its rows. */
export interface ExpectedGroup {
  readonly by: readonly string[];
  readonly values: readonly (string | null)[];
}

export type Refusal = 'FORBIDDEN' | 'INVALID_QUERY';

/** Whether two values of the answer would have the same name. */
function isOverwritten({ groupBy, computed }: Grouping): boolean {
  const shown = [...groupBy.map(shownName), ...new Set<string>(computed.map(({ fn }) => fn))];
  return new Set(shown).size < shown.length;
}

/** @returns the groups, or the refusal */
export function aggregate(asked: Grouping, views: Views): ExpectedGroup[] | Refusal {
  const { collection, filter, search, groupBy, computed } = asked;
  const names = [...groupBy, ...computed.flatMap(({ of }) => (of === '*' ? [] : [of]))];
  const allowed = namesOf(views.world);
  if (!allowed(collection)) return 'FORBIDDEN';
  if (!names.every((name) => allowed(collection, testedBy(name, collection).field.name)))
    return 'FORBIDDEN';
  if (isOverwritten(asked)) return 'INVALID_QUERY';
  const reading = { tables: views.virtual, valuesOf: views.queryValues };
  const rows = askedRows(views, collection, asked.deleted).filter(
    (row) => meets(filter, collection, row, reading) && isFound(search, collection, row),
  );
  const groups = new Map<string, SeenRow[]>(groupBy.length === 0 ? [['[]', []]] : []);
  for (const row of rows) {
    const key = JSON.stringify(groupBy.map((name) => plain(valueOf(name, row, asked, views))));
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()].map((members) => ({
    by: groupBy.map((name) => JSON.stringify(shownValue(name, members[0], asked, views))),
    values: computed.map((each) => compute(each, members, asked, views)),
  }));
}

function valueOf(name: string, row: SeenRow, { collection }: Grouping, views: Views): Cell {
  return readBy(testedBy(name, collection), row, views.virtual);
}

/** The shown value of a group. JSON has neither NaN nor infinity. */
function shownValue(
  name: string,
  row: SeenRow | undefined,
  asked: Grouping,
  views: Views,
): unknown {
  const value = row ? valueOf(name, row, asked, views) : null;
  return typeof value === 'number' && !Number.isFinite(value) ? null : plain(value);
}

/** A cell, a function of one, or the size of a list. */
export function readBy({ field, fn }: Tested, row: SeenRow, tables: Tables): Cell {
  if (field.kind === 'to-many') return listOf(tables, row, field)?.length ?? null;
  const cell = row.cells[field.name] ?? null;
  return fn === null ? cell : applyFunction(fn, cell);
}

/** Equal values have one form: numbers without their trailing zeros, objects with their names in order. */
export function plain(value: unknown): unknown {
  if (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)) return new Big(value).toFixed();
  if (typeof value === 'number')
    return Number.isFinite(value) ? new Big(value).toFixed() : String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(plain);
  const names = Object.keys(value).toSorted((one, other) => (one < other ? -1 : 1));
  return Object.fromEntries(
    names.map((name) => [name, plain((value as Record<string, unknown>)[name])]),
  );
}

function compute(
  { fn, of }: Computed,
  rows: readonly SeenRow[],
  asked: Grouping,
  views: Views,
): string | null {
  if (of === '*') return String(rows.length);
  const values = rows
    .map((row) => valueOf(of, row, asked, views))
    .filter((value) => value !== null);
  switch (fn) {
    case 'count':
      return String(values.length);
    case 'countDistinct':
      return String(new Set(values.map((value) => JSON.stringify(plain(value)))).size);
    case 'sum':
    case 'avg':
      return summed(fn, values);
    case 'min':
    case 'max':
      return extreme(
        fn,
        values,
        fieldOf(asked.collection, testedBy(of, asked.collection).field.name),
      );
  }
}

function summed(fn: 'sum' | 'avg', values: readonly Value[]): string | null {
  if (values.length === 0) return null;
  const numbers = values.map(textOf);
  const strange = new Set(numbers.filter((number) => !isFinite(Number(number))));
  if (strange.size > 1) return 'NaN';
  if (strange.size === 1) return [...strange].join();
  const sum = numbers.reduce<Big>((total, number) => total.plus(number), new Big(0));
  return fn === 'sum' ? sum.toFixed() : rounded(new Fine(sum).div(values.length));
}

/** Divides with more digits than PostgreSQL. */
const Fine = Big();
Fine.DP = 80;

/** Rounds an average, which may have infinitely many digits; PostgreSQL gives at least sixteen. */
export const rounded = (average: Big): string => average.prec(14).toFixed();

/** NaN is the greatest number. */
function compareNumbers(one: string, other: string): number {
  const [left, right] = [Number(one), Number(other)];
  if (Number.isNaN(left) || Number.isNaN(right))
    return Number(Number.isNaN(left)) - Number(Number.isNaN(right));
  return Number.isFinite(left) && Number.isFinite(right) ? new Big(one).cmp(other) : left - right;
}

function extreme(fn: 'min' | 'max', values: readonly Value[], field: FieldShape): string | null {
  const numeric = field.kind !== 'to-many' && ['integer', 'bigint', 'decimal'].includes(field.type);
  const inOrder = [...values].sort((one, other) =>
    numeric ? compareNumbers(textOf(one), textOf(other)) : textOf(one) < textOf(other) ? -1 : 1,
  );
  const found = fn === 'min' ? inOrder[0] : inOrder.at(-1);
  return found === undefined ? null : String(plain(found));
}
