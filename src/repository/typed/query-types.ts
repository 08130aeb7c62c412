import type { AggregateName } from '../query/aggregate-query';
import type { Deleted, RawQuery } from '../query/query';
import type { Leading, Leads, Names, Typed, Untyped } from './entity-types';
import type { Filter } from './filter-types';

type Call = `${string}(${string})`;

/**
 * A member of `fields`: `number`, `*`, `customer.name`, `lines.*`, `count(lines)`. Names are checked in the entity and
 * in the entities of its relations; names further along, and behind a relation that is typed by its key alone, are not.
 */
export type Path<E> =
  | '*'
  | `*.${string}`
  | Names<E>
  | Call
  | { [K in Leading<E>]: `${K}.${Below<Leads<E[K]>>}` }[Leading<E>];

type Below<Target> = [Target] extends [never]
  ? string
  : '*' | Names<Target> | Call | `*.${string}` | `${Leading<Target>}.${string}`;

type SortTerm<E> = Names<E> | Call | `${Leading<E>}.${string}`;

type MetaName = 'total_count' | 'filter_count' | '*';

interface Selection<E> {
  readonly filter?: Filter<E>;
  readonly search?: string;
  readonly limit?: number;
  readonly offset?: number;
  readonly page?: number;
  readonly deleted?: Deleted;
}

/**
 * A query for items, as the API takes it, checked against the entity.
 *
 *     { filter: { status: { _eq: 'draft' } }, fields: ['number', 'lines.price'], sort: ['-number'], limit: 10 }
 *
 * A query with `alias` is typed as `RawQuery`, since its answer has names that no type knows.
 */
export type Query<E = Untyped> = Typed<E, RawQuery, TypedQuery<E>>;

type TypedQuery<E> = {
  readonly [K in keyof Selection<E>]: Selection<E>[K];
} & {
  readonly fields?: readonly Path<E>[];
  readonly sort?: readonly (SortTerm<E> | `-${SortTerm<E>}`)[];
  readonly meta?: MetaName | readonly MetaName[];
  /** By relation: `{ lines: { _limit: 5, _sort: ['position'] } }`. */
  readonly deep?: Untyped;
};

/**
 * A query that counts and sums; its answer is groups, not items.
 *
 *     { aggregate: { count: '*', sum: ['total'] }, groupBy: ['status'] }
 */
export type AggregateQuery<E = Untyped> = Typed<
  E,
  RawQuery,
  { readonly [K in keyof Selection<E>]: Selection<E>[K] } & {
    readonly aggregate: {
      readonly [Fn in AggregateName]?: AggregateField<E> | readonly AggregateField<E>[];
    };
    readonly groupBy?: readonly (Names<E> | Call)[];
    readonly sort?: readonly string[];
  }
>;

type AggregateField<E> = '*' | Names<E>;
