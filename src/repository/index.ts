export { RealView } from './compile/views';
export type {
  Change,
  CollectionHooks,
  CommitContext,
  CommitHooks,
  Key,
  LogEntry,
  Payload,
  RelatedWriter,
  UpdateContext,
  Values,
  WriteContext,
} from './hooks';
export { ProtectedRepository } from './protected-repository';
export { AGGREGATES, type AggregateName } from './query/aggregate-query';
export { FieldSelection } from './query/field-selection';
export type { RawQuery } from './query/query';
export { ReadingBudget } from './read/answer-budget';
export type { Exception } from './read/exception';
export { readVariables } from './read/variables';
export {
  faultOf,
  leavesSleeping,
  type MarkedSource,
  markRule,
  type Meanings,
  wake,
  type Woken,
} from './registry/asleep';
export { CollectionRegistry } from './registry/registry';
export type { Selector } from './write/selected-rows';
