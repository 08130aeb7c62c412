import type { FunctionName, ScalarType, StoredField, FieldExpression } from '../../engine';
import type { SelectedField } from '../query/query';
import { sqlTypeOf } from '../registry/stored-collection';
import type { SqlType } from '../registry/column';
import { countOf } from './list-source';
import { withoutPullUp, comparedIn, grantIn, type TableScope } from './scope';

/** What a concealed value is shown as. */
export const CONCEALED = '**********';

/**
 * An expression as the reader sees it: NULL where it is not granted. Such a CASE cannot use an index.
 * A status that is granted on one's own articles: `CASE WHEN t0."owner" = $1::uuid THEN t0."status" END`.
 */
export function masked(scope: TableScope, field: string, expression: string): string {
  const grant = grantIn(withoutPullUp(scope), field);
  if (grant === true) return expression;
  // A field that is granted nowhere is NULL of its own type: an untyped NULL can be neither sorted by nor added up.
  return `CASE WHEN ${grant === false ? 'FALSE' : grant} THEN ${expression} END`;
}

/** A cell of the answer; of a concealed one only whether it holds a value. */
export function compileCell(field: StoredField, scope: TableScope): string {
  const cell = scope.view.cell(scope, field.name);
  return masked(
    scope,
    field.name,
    field.concealed ? `CASE WHEN ${cell} IS NOT NULL THEN '${CONCEALED}' END` : cell,
  );
}

/** A cell of the answer, or a function of one that may be compared. */
export const compileSelected = (selected: SelectedField, scope: TableScope): string =>
  selected.fn === null ? compileCell(selected.field, scope) : compileExpression(selected, scope);

/** A cell, a function of one, or the size of a list, as the reader sees it. */
export function compileExpression({ field, fn }: FieldExpression, scope: TableScope): string {
  if (field.kind === 'to-many')
    return masked(scope, field.name, countOf(field, withoutPullUp(scope)));
  const cell = comparedIn(scope, field.name);
  const column = sqlTypeOf(scope.collection, field.name);
  return masked(scope, field.name, fn === null ? cell : compileFunction(fn, cell, column));
}

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
export function compileFunction(fn: FunctionName, cell: string, column: SqlType): string {
  if (fn === 'count') return compileCount(cell, column.type);
  const time = column.cast === 'timestamptz' ? `${cell} AT TIME ZONE 'UTC'` : cell;
  const part = `floor(EXTRACT(${PARTS[fn]} FROM ${time}))::int4`;
  // Other programs may store infinite times, which have no year.
  return column.type === 'time' ? part : `CASE WHEN isfinite(${cell}) THEN ${part} END`;
}

const compileCount = (cell: string, type: ScalarType): string =>
  type === 'json'
    ? `CASE WHEN jsonb_typeof(${cell}) = 'array' THEN jsonb_array_length(${cell}) END`
    : `cardinality(${cell})`;
