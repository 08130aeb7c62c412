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
} from '../engine';
export { Database, type Queries, type Tx } from '../database/database';
export { provideSchema } from '../database/schema-part';
export type { Answer } from './answer';
export { HooksOf } from './collection-hooks';
export { ServiceModule } from './hook-order';
export { CollectionService } from './collection.service';
export {
  ItemsController,
  type ItemsRoutes,
  SingletonController,
  type SingletonRoutes,
} from './items.controller';
export { Collections } from './collections';
export { type CollectionOptions, CollectionsModule } from './collections.module';
export { MissingItemsModule } from './missing-items.controller';
export type {
  Change,
  CollectionHooks,
  Key,
  Payload,
  Values,
  WriteContext,
} from '../repository/hooks';
export { ProtectedRepository } from '../repository/protected-repository';
export type { Selector } from '../repository/write/selected-rows';
export { ReadingBudget } from '../repository/read/answer-budget';
export type { RawQuery } from '../repository/query/query';
export { CollectionRegistry } from '../repository/registry/registry';
export { collectionName } from '../common/schema';
export {
  type CollectionReference,
  InjectCollection,
  InjectService,
  repositoryToken,
  serviceToken,
} from './tokens';
export type { RelatedWriter } from '../repository/hooks';
