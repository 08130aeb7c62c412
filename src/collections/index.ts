export type { Answer } from './answer';
export { BeforeCommit, HooksOf } from './collection-hooks';
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
export { overridable, refuseBareOverrides, type Repeated } from './overrides';
export { ReadingController, type ReadingRoutes } from './reading.controller';
export { MissingItemsModule } from './missing-items.controller';
export {
  type CollectionReference,
  InjectCollection,
  InjectService,
  nameOf,
  repositoryToken,
  serviceToken,
} from './tokens';
