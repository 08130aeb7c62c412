/** `doorward`, as a team's own modules import it: everything an extension needs, and nothing else is promised. */
export { start } from './start';

export { Collection, Field, RegistrationError } from './common/schema';
export {
  type Answer,
  type Change,
  type CollectionHooks,
  type CollectionOptions,
  Collections,
  CollectionService,
  CollectionsModule,
  HooksOf,
  InjectCollection,
  InjectService,
  ItemsController,
  type Key,
  type Payload,
  ProtectedRepository,
  provideSchema,
  type Queries,
  type RawQuery,
  type RelatedWriter,
  type Selector,
  SingletonController,
  type Values,
  type Who as Caller,
  type WriteContext,
} from './collections';

export { Public, RequirePermission, SignedIn } from './common/request/access.decorators';
export { Who } from './common/request/transport';

export {
  AppError,
  defineError,
  FailedValidation,
  Forbidden,
  InvalidPayload,
  InvalidQuery,
} from './common/errors';

export {
  Arguments,
  type GraphqlContext,
  ItemsResolver,
  Operation,
  queryArguments,
  Selection,
  selectionOf,
  SingletonResolver,
  TypeDefs,
} from './graphql';
