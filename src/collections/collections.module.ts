import { type DynamicModule, Global, Module, type Provider, type Type } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { DataSource } from 'typeorm';
import {
  collectionName,
  collectionOf,
  type EntityClass,
  RegistrationError,
  tableOf,
} from '../common/schema';
import { Broadcast } from '../database/broadcast/broadcast';
import { Mark } from '../database/marks/mark.entity';
import { provideSchema } from '../database/schema-part';
import { RightsChanges } from '../rules';
import { createItemsController, createSingletonController } from './collection.controller';
import { Collections } from './collections';
import { DescriptionController } from './describe/description.controller';
import { DescriptionService } from './describe/description.service';
import { GraphqlSchemas } from '../graphql/schema/graphql-schemas';
import { CollectionRegistry } from '../repository/registry/registry';
import { repositoryToken, serviceToken } from './tokens';

export interface CollectionOptions {
  /** Where the routes are; by default `items/{collection}`. */
  readonly path?: string;
  /** Another form of the body of POST, as a list of the items that it means. GraphQL has typed inputs instead. */
  readonly readBody?: (body: unknown) => unknown;
  /** False: no generic routes, the team has its own instead. */
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
    const names = entities.map(collectionName);
    const providers = names.flatMap((name) => collectionProviders(name, options));
    return {
      module: CollectionsModule,
      providers: [
        provideSchema({ entities: entities as Type<object>[] }),
        { provide: Symbol(PART), useValue: { entities, system: options.system === true } },
        ...providers,
      ],
      controllers:
        options.routes === false ? [] : entities.map((entity) => controllerOf(entity, options)),
      exports: names.flatMap((name) => [repositoryToken(name), serviceToken(name)]),
    };
  }
}

function controllerOf(entity: EntityClass, { path }: CollectionOptions): Type<object> {
  const name = collectionName(entity);
  const create = collectionOf(entity).singleton ? createSingletonController : createItemsController;
  return create(name, path ?? `items/${name}`);
}

const collectionProviders = (name: string, { readBody }: CollectionOptions): Provider[] => [
  {
    provide: repositoryToken(name),
    inject: [Collections],
    useFactory: (collections: Collections) => collections.repository(name),
  },
  {
    provide: serviceToken(name),
    inject: [Collections],
    useFactory: (collections: Collections) => collections.service(name, readBody),
  },
];

/** A start that is refused leaves no connection behind. */
async function openRegistry(
  source: DataSource,
  modules: ModulesContainer,
): Promise<CollectionRegistry> {
  try {
    return registerAll(source, modules);
  } catch (error) {
    await source.destroy();
    throw error;
  }
}

/** Every entity that some module registers, known before any provider is made. */
function registerAll(source: DataSource, modules: ModulesContainer): CollectionRegistry {
  const registry = new CollectionRegistry(source);
  for (const module of modules.values()) {
    for (const [token, { instance }] of module.providers) {
      if (typeof token !== 'symbol' || token.description !== PART) continue;
      const { entities, system } = instance as Registration;
      for (const entity of entities) {
        if (!system) refuseReserved(entity);
        registry.register(entity);
      }
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
  controllers: [DescriptionController],
  providers: [
    {
      provide: RightsChanges,
      inject: [Broadcast],
      useFactory: (broadcast: Broadcast) => new RightsChanges(broadcast),
    },
    Collections,
    provideSchema({ entities: [Mark] }),
    DescriptionService,
    GraphqlSchemas,
    {
      provide: CollectionRegistry,
      inject: [DataSource, ModulesContainer],
      useFactory: openRegistry,
    },
  ],
  exports: [RightsChanges, Collections, CollectionRegistry, GraphqlSchemas],
})
class CollectionsCoreModule {}
