import type { FunctionName, ScalarType } from '../../engine';
import type { Column } from '../registry/column';

const PARTS: Readonly<Record<Exclude<FunctionName, 'count'>, string>> = {
  year: 'YEAR',
  month: 'MONTH',
  week: 'WEEK',
  day: 'DAY',
  weekday: 'DOW',
  hour: 'HOUR',
  minute: 'MINUTE',
  second: 'SECOND',
};

/** A function of a cell, as SQL that gives an integer or NULL. The twin of `applyFunction`. */
export function compileFunction(fn: FunctionName, cell: string, column: Column): string {
  if (fn === 'count') return compileCount(cell, column.type);
  const time = column.cast === 'timestamptz' ? `${cell} AT TIME ZONE 'UTC'` : cell;
  return `floor(EXTRACT(${PARTS[fn]} FROM ${time}))::int4`;
}

const compileCount = (cell: string, type: ScalarType): string =>
  type === 'json'
    ? `CASE WHEN jsonb_typeof(${cell}) = 'array' THEN jsonb_array_length(${cell}) END`
    : `cardinality(${cell})`;
