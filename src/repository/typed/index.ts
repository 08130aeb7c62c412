export type { Item, Payload, Sent, Stored, Untyped } from './entity-types';
export type { Filter } from './filter-types';
export type {
  CollectionHooks,
  PayloadContext,
  RowBefore,
  UpdateContext,
  Values,
  WriteContext,
} from './hook-types';
export type { AggregateQuery, Path, Query } from './query-types';
export { type ItemPage, ProtectedRepository } from './repository';
