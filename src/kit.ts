/** The package `doorward`: everything that a team's own modules may import. Nothing else is kept stable. */
// Must be imported first: it checks packages before they are loaded.
import './check-packages';

export { cli } from './commands/command-line';
export { createApp, type CreateAppOptions } from './create-app';
export type { Settings } from './config/settings';
export { type DoorwardAsyncOptions, DoorwardModule, type DoorwardOptions } from './doorward.module';
export { start } from './start';

export {
  type ManagedGrant,
  type ManagedPolicy,
  type ManagedRole,
  type ManagedRule,
  type ManagedRules,
  provideRules,
} from './access-files';
export {
  type Choice,
  Collection,
  type ColumnOf,
  type Decorate,
  type DecorateTaking,
  Field,
  type ListColumn,
  RegistrationError,
} from './common/schema';
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
  type ItemsRoutes,
  protectedRepositoryToken,
  ReadQuery,
  SingletonController,
  type SingletonRoutes,
  type TransactionOptions,
  type TransactionWork,
} from './collections';
export {
  type AfterCommitContext,
  AnswerBudget,
  type Change,
  type CollectionHooks,
  type Key,
  type LookUp,
  type Payload,
  type PayloadContext,
  ProtectedRepository,
  type RawQuery,
  type RelatedReader,
  type RelatedWriter,
  type RowBefore,
  type Selector,
  type SystemHandle,
  type TransactionContext,
  type UpdateContext,
  type Values,
  type WriteContext,
} from './repository';
export { provideSchema, type Queries, type SqlRow, type Table, type Tx } from './database';
export type { Caller, Cell } from './engine';

export { AcceptsBody, type BodyKind } from './common/http/accepted-bodies';
export {
  Describe,
  type JsonSchema,
  type RouteDescription,
} from './common/request/describe.decorator';
export { Public, RequirePermission, SignedIn } from './common/request/access.decorators';
export { Metrics } from './common/metrics/metrics';
export { CurrentCaller } from './common/request/transport';

export {
  AppError,
  defineTeamError as defineError,
  type ErrorClass,
  FailedValidation,
  type FieldReference,
  Forbidden,
  InvalidPayload,
  InvalidQuery,
  type FieldReason,
  type FailedConstraint,
} from './common/errors';

export {
  Arguments,
  Budget,
  type GraphqlContext,
  type ItemsOperations,
  ItemsResolver,
  Operation,
  queryArguments,
  ResolveInfo,
  selectionOf,
  type SingletonOperations,
  SingletonResolver,
  TypeDefs,
} from './graphql';

export type {
  AggregateQuery,
  Filter,
  Item,
  ItemPage,
  Path,
  Query,
  Sent,
  Stored,
} from './repository';
