export type { Item, Payload, Sent, Untyped } from './entity-types';
export type { Filter } from './filter-types';
export type { CollectionHooks, Values } from './hook-types';
export type { AggregateQuery, Path, Query } from './query-types';
export { type ItemPage, ProtectedRepository } from './repository';
