import {
  type DynamicModule,
  Global,
  Logger,
  Module,
  type Provider,
  type Type,
} from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { collectionName, type EntityClass, RegistrationError, tableOf } from '../common/schema';
import { ServiceDataSource } from '../database/data-source';
import { Mark } from '../database/marks/mark.entity';
import { provideValue, providedValues } from '../common/provided-values';
import { provideExtension, provideSchema, SCHEMA, type SchemaPart } from '../database/schema-part';
import { Collections } from './collections';
import { ComputedFields } from './computed-fields';
import { DescriptionController } from './describe/description.controller';
import { DescriptionService } from './describe/description.service';
import { plainController } from './items.controller';
import { RouteOverrides } from './route-overrides';
import { RouteWalk } from './route-walk';
import { CollectionRegistry } from '../repository/registry/registry';
import { repositoryToken, serviceToken } from './tokens';

export interface CollectionOptions {
  /** Where the routes are; by default `items/{collection}`. */
  readonly path?: string;
  /** False: no routes are made. The module's own controller extends `ItemsController`, or there are none. */
  readonly routes?: boolean;
  /** One of the service's own: only these have names that begin with `service_`. */
  readonly system?: boolean;
}

const PART = 'doorward:collections';
const RESERVED = /^service_/;

interface Registration {
  readonly entities: readonly EntityClass[];
  readonly system: boolean;
}

/**
 * Makes entities collections: REST routes and permission rules by one line in a module,
 * `CollectionsModule.forFeature([Invoice])`.
 */
@Module({})
export class CollectionsModule {
  static forRoot(): DynamicModule {
    return { module: CollectionsCoreModule };
  }

  static forFeature(
    entities: readonly EntityClass[],
    options: CollectionOptions = {},
  ): DynamicModule {
    refuseUndefined(entities);
    const names = entities.map(collectionName);
    const providers = names.flatMap(collectionProviders);
    return {
      module: CollectionsModule,
      providers: [
        provideSchema({ entities: entities as Type<object>[] }),
        provideValue<Registration>(PART, { entities, system: options.system === true }),
        ...providers,
      ],
      controllers:
        options.routes === false ? [] : entities.map((entity) => controllerOf(entity, options)),
      exports: names.flatMap((name) => [repositoryToken(name), serviceToken(name)]),
    };
  }

  /**
   * Adds fields to a collection of the service's, in this application: `extend('service_users', EmployeeFields)`, where
   * `EmployeeFields` is a plain class whose properties have decorators of `Field`.
   */
  static extend(collection: string, fields: EntityClass): DynamicModule {
    return { module: CollectionsModule, providers: [provideExtension({ collection, fields })] };
  }
}

/** What two files import of each other is not there yet while the second of them runs. */
function refuseUndefined(entities: readonly unknown[]): void {
  const at = entities.findIndex((entity) => typeof entity !== 'function');
  if (at < 0) return;
  throw new RegistrationError(
    `CollectionsModule.forFeature([…]) is given ${String(entities[at])} in place ${at + 1} instead of an entity: the import is wrong, or its file and another import each other.`,
  );
}

const controllerOf = (entity: EntityClass, { path }: CollectionOptions): Type<object> =>
  plainController(entity, path ?? `items/${collectionName(entity)}`);

const collectionProviders = (name: string): Provider[] => [
  {
    provide: repositoryToken(name),
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
const tell = (message: string, error: unknown): void =>
  logger.error(message, error instanceof Error ? error.stack : error);

/** A start that is refused leaves no connection behind. */
async function openRegistry(
  source: ServiceDataSource,
  { extensions = [] }: SchemaPart,
  discovery: DiscoveryService,
): Promise<CollectionRegistry> {
  try {
    return registerAll(new CollectionRegistry(source, extensions, tell), discovery);
  } catch (error) {
    await source.destroy();
    throw error;
  }
}

/** Every entity that some module registers, known before any provider is made. */
function registerAll(
  registry: CollectionRegistry,
  discovery: DiscoveryService,
): CollectionRegistry {
  for (const { entities, system } of providedValues<Registration>(discovery, PART)) {
    for (const entity of entities) {
      if (!system) refuseReserved(entity);
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
    `${entity.name} is called ${reserved}: names that begin with service_ are the service's own, so give it another.`,
  );
}

@Global()
@Module({
  imports: [DiscoveryModule],
  controllers: [DescriptionController],
  providers: [
    RouteOverrides,
    RouteWalk,
    Collections,
    ComputedFields,
    provideSchema({ entities: [Mark] }),
    DescriptionService,
    {
      provide: CollectionRegistry,
      inject: [ServiceDataSource, SCHEMA, DiscoveryService],
      useFactory: openRegistry,
    },
  ],
  exports: [Collections, CollectionRegistry, RouteWalk],
})
class CollectionsCoreModule {}
