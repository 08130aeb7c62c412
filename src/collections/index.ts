export type { Answer } from './answer';
export { BeforeCommit, HooksOf } from './collection-hooks';
export { ServiceModule, serviceModules } from './hook-order';
export { CollectionService } from './collection.service';
export {
  ItemsController,
  type ItemsRoutes,
  SingletonController,
  type SingletonRoutes,
} from './items.controller';
export { Collections, type TransactionOptions, type TransactionWork } from './collections';
export {
  type CollectionOptions,
  CollectionsModule,
  serviceCollections,
} from './collections.module';
export { type ListedRoute, listRoutes } from './listed-routes';
export { isOverridable, overridable, refuseBareOverrides, type Repeated } from './overrides';
export { ReadingController } from './reading.controller';
export { ReadQuery } from './read-query';
export { closedCollections } from './registrations';
export { versionsOf } from './route-versions';
export { provideEndpoint, RouteWalk } from './route-walk';
export { MissingItemsModule } from './missing-items.controller';
export {
  type CollectionReference,
  InjectCollection,
  InjectService,
  nameOf,
  protectedRepositoryToken,
  serviceToken,
} from './tokens';
