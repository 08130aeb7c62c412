export {
  ACTIONS,
  accessOf,
  type Action,
  AccessFault,
  allowsAny,
  type Cell,
  type Decision,
  hasField,
  mergePresets,
  namedFields,
  once,
  parseRule,
  type Rule,
  type RuleSource,
  Who,
} from '../access';
export {
  type Asking,
  FreshReads,
  HeldRules,
  isNetwork,
  plainAddress,
  faultOf,
  leavesSleeping,
  type MarkedSource,
  markRule,
  RightsChanges,
  type RightsListener,
  wake,
} from '../rules';
export { Database, type Queries, type Tx } from '../database/database';
export { provideSchema } from '../database/schema-part';
export type { Answer } from './answer';
export { HooksOf } from './collection-hooks';
export { CollectionService } from './collection.service';
export { Collections } from './collections';
export { type CollectionOptions, CollectionsModule } from './collections.module';
export { MissingItemsModule } from './missing-items.controller';
export type { Change, CollectionHooks, Key, Payload, Values, WriteContext } from './hooks';
export { ProtectedRepository } from './protected-repository';
export type { RawQuery } from './query/query';
export type { Selector } from './write/selected-rows';
export { ReadingBudget } from './read/answer-budget';
export { CollectionRegistry } from './registry/registry';
export { collectionName } from '../common/schema';
export {
  type CollectionReference,
  InjectCollection,
  InjectService,
  repositoryToken,
  serviceToken,
} from './tokens';
export type { RelatedWriter } from './hooks';
export { type AnswerBudget, type GraphqlContext, GraphqlSchemas } from './graphql/graphql-schemas';
export type { Call, Operation, OperationResolver, SchemaScope } from './graphql/operation';
export { Resolves } from './graphql/resolves';
export { JsonScalar } from './graphql/scalars';
export type { SchemaTypes } from './graphql/schema-types';
export { queryArguments, selectionOf } from './graphql/selection';
export type { RuleMarks } from '../database/marks/forget-vanished';
