import {
  type DynamicModule,
  Global,
  Logger,
  Module,
  type Provider,
  type Type,
} from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { DeclaredQueries } from '../common/request/declared-query';
import { collectionName, type EntityClass, RegistrationError, tableOf } from '../common/schema';
import { ServiceDataSource } from '../database/data-source';
import { Mark } from '../database/marks/mark.entity';
import { provideExtension, provideSchema, SCHEMA, type SchemaPart } from '../database/schema-part';
import { Collections } from './collections';
import { DescriptionController } from './describe/description.controller';
import { DescriptionService } from './describe/description.service';
import { plainController } from './items.controller';
import { provideRegistration, registrationsOf } from './registrations';
import { RouteOverrides } from './route-overrides';
import { RouteWalk } from './route-walk';
import { CollectionRegistry } from '../repository/registry/registry';
import { TablesAtStart } from './tables-at-start';
import { protectedRepositoryToken, serviceToken } from './tokens';

/** How `CollectionsModule.forFeature` serves its collections. */
export interface CollectionOptions {
  /** The path of the routes, for one entity alone; `items/{collection}` by default. */
  readonly path?: string;
  /**
   * False: no routes and no GraphQL operations. Controllers that extend `ItemsController` and resolvers that extend
   * `ItemsResolver` add them.
   */
  readonly routes?: boolean;
}

const RESERVED = /^service_/;

/** Registers entities as collections, protected by permission rules, with REST routes and GraphQL operations. */
@Module({})
export class CollectionsModule {
  /** The part that all collections share. The service imports it itself; a team's modules never do. */
  static forRoot(): DynamicModule {
    return { module: CollectionsCoreModule };
  }

  /**
   * Makes each entity a collection, and provides its `ProtectedRepository` and `CollectionService` for injection.
   *
   *     @Module({ imports: [CollectionsModule.forFeature([Invoice], { path: 'bills' })] })
   *
   * @throws RegistrationError where something is not an entity, or has no name
   */
  static forFeature(
    entities: readonly EntityClass[],
    options: CollectionOptions = {},
  ): DynamicModule {
    return collectionsModule(entities, { ...options, isService: false });
  }

  /**
   * Adds fields to `service_users`, `service_roles` or `service_settings`: `extend('service_users', EmployeeFields)`.
   * @param fields a plain class whose properties have decorators of `Field`
   */
  static extend(collection: string, fields: EntityClass): DynamicModule {
    return { module: CollectionsModule, providers: [provideExtension({ collection, fields })] };
  }
}

/** The same for the service's own collections: only these have names that begin with `service_`. */
export const serviceCollections = (
  entities: readonly EntityClass[],
  options: CollectionOptions = {},
): DynamicModule => collectionsModule(entities, { ...options, isService: true });

function collectionsModule(
  entities: readonly EntityClass[],
  { isService, ...options }: CollectionOptions & { readonly isService: boolean },
): DynamicModule {
  refuseUndefined(entities);
  const names = entities.map(collectionName);
  const isOpen = options.routes !== false;
  return {
    module: CollectionsModule,
    providers: [
      provideSchema({ entities: entities as Type<object>[] }),
      provideRegistration({ entities, isService, isOpen }),
      ...names.flatMap(collectionProviders),
    ],
    controllers: isOpen ? entities.map((entity) => controllerOf(entity, options)) : [],
    exports: names.flatMap((name) => [protectedRepositoryToken(name), serviceToken(name)]),
  };
}

/** Two files that import each other: the second to run still sees undefined. */
function refuseUndefined(entities: readonly unknown[]): void {
  const at = entities.findIndex((entity) => typeof entity !== 'function');
  if (at < 0) return;
  throw new RegistrationError(
    `CollectionsModule.forFeature([…]) is given ${String(entities[at])} instead of an entity, at position ${at + 1}: the import is wrong, or its file and another import each other.`,
  );
}

const controllerOf = (entity: EntityClass, { path }: CollectionOptions): Type<object> =>
  plainController(entity, path ?? `items/${collectionName(entity)}`);

const collectionProviders = (name: string): Provider[] => [
  {
    provide: protectedRepositoryToken(name),
    inject: [Collections],
    useFactory: (collections: Collections) => collections.repository(name),
  },
  {
    provide: serviceToken(name),
    inject: [Collections],
    useFactory: (collections: Collections) => collections.service(name),
  },
];

const logger = new Logger('Collections');
const logFault = (message: string, error: unknown): void =>
  logger.error(message, error instanceof Error ? error.stack : error);

/** A refused start leaves no connection open. */
async function openRegistry(
  source: ServiceDataSource,
  { extensions = [] }: SchemaPart,
  discovery: DiscoveryService,
): Promise<CollectionRegistry> {
  try {
    return registerAll(new CollectionRegistry(source, extensions, logFault), discovery);
  } catch (error) {
    await source.destroy();
    throw error;
  }
}

/** Every entity that a module registers, collected before any provider is created. */
function registerAll(
  registry: CollectionRegistry,
  discovery: DiscoveryService,
): CollectionRegistry {
  for (const { entities, isService } of registrationsOf(discovery)) {
    for (const entity of entities) {
      if (!isService) refuseReserved(entity);
      registry.register(entity);
    }
  }
  registry.validate();
  return registry;
}

function refuseReserved(entity: EntityClass): void {
  const names = [collectionName(entity), tableOf(entity) ?? ''];
  const reserved = names.find((name) => RESERVED.test(name));
  if (reserved === undefined) return;
  throw new RegistrationError(
    `${entity.name} is named ${reserved}: names that begin with service_ are reserved for the service, so give it another.`,
  );
}

@Global()
@Module({
  imports: [DiscoveryModule],
  controllers: [DescriptionController],
  providers: [
    DeclaredQueries,
    RouteOverrides,
    RouteWalk,
    Collections,
    TablesAtStart,
    provideSchema({ entities: [Mark] }),
    DescriptionService,
    {
      provide: CollectionRegistry,
      inject: [ServiceDataSource, SCHEMA, DiscoveryService],
      useFactory: openRegistry,
    },
  ],
  exports: [Collections, CollectionRegistry, DeclaredQueries, RouteWalk],
})
class CollectionsCoreModule {}
