import type { GraphQLResolveInfo } from 'graphql';
import { AGGREGATES } from '../../repository';
import { COUNT_ALL } from './aggregate-types';
import { selectedNames } from './selection';

type Row = Readonly<Record<string, unknown>>;
type Aggregates = Readonly<Record<string, readonly string[]>>;

/**
 * Requested where the operation names only `group` or `__typename`: without any aggregate the query would read rows.
 */
const COUNTED: Aggregates = { count: ['*'] };

/** Which functions of which fields the operation requests: `{sum: ['qty'], count: ['*']}`. */
export function aggregatesOf(info: GraphQLResolveInfo): Aggregates {
  const aggregates: Record<string, string[]> = {};
  for (const [fn, fields] of selectedNames(info)) {
    if (fn === 'group') continue;
    const [aggregate, requested] = fn === COUNT_ALL ? ['count', ['*']] : [fn, fields];
    const computed = [...(aggregates[aggregate] ?? []), ...requested];
    // For `sum { __typename }` nothing is computed.
    if (computed.length > 0) aggregates[aggregate] = computed;
  }
  return Object.keys(aggregates).length === 0 ? COUNTED : aggregates;
}

/** The rows of an aggregate in the schema's form: `{group: {status}, countAll, sum: {qty}}`. */
export const presentAggregate = (rows: unknown, aggregates: Aggregates): Row[] =>
  (rows as Row[]).map((row) => present(row, Object.keys(aggregates)));

function present(row: Row, functions: readonly string[]): Row {
  const group = Object.fromEntries(
    Object.entries(row).filter(([name]) => !functions.includes(name)),
  );
  const { count } = row;
  const countAll = typeof count === 'object' ? (count as Row | null)?.['*'] : count;
  // Every function is an object in the answer, whether or not any of its fields was computed.
  const computed = Object.fromEntries(
    AGGREGATES.map((fn) => [fn, functions.includes(fn) ? objectOf(row[fn]) : {}]),
  );
  return { ...computed, group, [COUNT_ALL]: countAll ?? null };
}

/** A bare number is the count of all items, which has a field of its own. */
const objectOf = (value: unknown): unknown => (typeof value === 'number' ? {} : value);
