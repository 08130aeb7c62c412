/** `doorward`, as a team's own modules import it: everything an extension needs, and nothing else is promised. */
export { cli } from './command-line';
export { start } from './start';

export { Collection, Field, RegistrationError } from './common/schema';
export {
  type Answer,
  type CollectionOptions,
  Collections,
  CollectionService,
  CollectionsModule,
  HooksOf,
  InjectCollection,
  InjectService,
  ItemsController,
  SingletonController,
} from './collections';
export {
  type Change,
  type CollectionHooks,
  type Key,
  type Payload,
  ProtectedRepository,
  type RawQuery,
  ReadingBudget,
  type RelatedWriter,
  type Selector,
  type UpdateContext,
  type Values,
  type WriteContext,
} from './repository';
export { provideSchema, type Queries } from './database';
export type { Caller } from './engine';

export { Public, RequirePermission, SignedIn } from './common/request/access.decorators';
export { CurrentCaller } from './common/request/transport';

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
  ReadingInput,
  Selection,
  selectionOf,
  SingletonResolver,
  TypeDefs,
} from './graphql';
