export { CONCEALED } from './compile/compile-cell';
export { keyAsText } from './compile/key-text';
export { RealView } from './compile/views';
export type {
  Change,
  CommitContext,
  CommitHooks,
  EntryCompiler,
  EntrySql,
  LogEntry,
} from './hooks';
export type {
  AfterCommitContext,
  Key,
  LookUp,
  RelatedReader,
  RelatedWriter,
  SystemHandle,
  TransactionContext,
} from './write-context';
export { systemCaller } from './system-caller';
export { AGGREGATES, type AggregateName, supportsAggregate } from './query/aggregate-query';
export { FieldSelection } from './query/field-selection';
export { MAX_NUMBER } from './query/parse-page';
export type { RawQuery } from './query/query';
export { MAX_CHARACTERS, AnswerBudget } from './read/answer-budget';
export type { AdditionalGrants } from './read/additional-grants';
export { isReferredTo } from './read/referred-to';
export { readVariables } from './read/variables';
export {
  leavesSleeping,
  type MarkedSource,
  markRule,
  type CurrentMarks,
  parseAwake,
  RULES_PER_TURN,
  type AwakeResult,
} from './registry/asleep';
export { faultOf } from './registry/rule-names';
export { CollectionRegistry } from './registry/registry';
export {
  type AggregateQuery,
  type CollectionHooks,
  type Filter,
  type Item,
  type ItemPage,
  type Path,
  type Payload,
  type PayloadContext,
  ProtectedRepository,
  type Query,
  type RowBefore,
  type Sent,
  type Stored,
  type UpdateContext,
  type Values,
  type WriteContext,
} from './typed';
export { MAX_ITEMS } from './write/plan/selection-body';
export type { Selector } from './write/plan/selection-body';
export { plainQueries } from './read/plain-queries';
export { plainStatements } from './read/plain-statements';
export { storingStatements } from './write/store/storing-statement';
export { forgetDecisions } from './forget-decisions';
