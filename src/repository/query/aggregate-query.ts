import {
  type FieldExpression,
  type Filter,
  isNumeric,
  type ScalarType,
  supportsTest,
} from '../../engine';
import type { RowQuery } from './query';

export const AGGREGATES = ['count', 'countDistinct', 'sum', 'avg', 'min', 'max'] as const;
export type AggregateName = (typeof AGGREGATES)[number];

/** Whether values of the type can be aggregated by the function. */
export function supportsAggregate(type: ScalarType, fn: AggregateName): boolean {
  switch (fn) {
    case 'count':
    case 'countDistinct':
      return true;
    case 'sum':
    case 'avg':
      return isNumeric(type);
    case 'min':
    case 'max':
      return supportsTest(type, 'lt');
  }
}

/** A function of all the rows of a group. */
export interface Aggregate {
  readonly fn: AggregateName;
  /** Null: the rows themselves are counted. */
  readonly expression: FieldExpression | null;
  /** The field's name, or `*`. */
  readonly of: string;
}

/** Rows of one group have the same value here; NULL and masked are one. */
export interface Group {
  /** `status`, or for `year(published_at)` `published_at_year`. */
  readonly as: string;
  readonly expression: FieldExpression;
}

/** What groups are sorted by: the position of one of their values, or of one of their aggregates. */
export interface GroupSort {
  readonly by: 'group' | 'aggregate';
  readonly index: number;
  readonly descending: boolean;
}

export interface AggregateQuery<F = Filter> {
  /** Which rows are looked at. */
  readonly rows: RowQuery<F>;
  readonly groups: readonly Group[];
  readonly aggregates: readonly Aggregate[];
  readonly order: readonly GroupSort[];
}
