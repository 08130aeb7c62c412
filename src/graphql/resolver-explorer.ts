import { Injectable, type Type } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { RESOLVER_NAME_METADATA } from '@nestjs/graphql';
import { closedCollections, Collections, refuseBareOverrides, type Repeated } from '../collections';
import {
  ROUTE_ACCESS,
  type RouteAccess,
  SignedIn,
  writtenAccess,
} from '../common/request/access.decorators';
import { RegistrationError } from '../common/schema';
import { detachMetadata } from './detached-metadata';
import { ItemsResolver, SingletonResolver } from './items.resolver';
import { type BoundMethod, MethodBinder } from './method-binder';
import { ReadingResolver, resolvedCollection } from './reading.resolver';
import {
  detachedMetadataOf,
  type FoundResolver,
  resolverOfProvider,
  metadataOf,
  parentOf,
} from './found-resolver';
import {
  DeclareLists,
  type Endpoint,
  type ListTypes,
  OPERATION,
  type OperationName,
  TypeDefs,
} from './operation';

/** What a resolver adds to the schema. */
export interface TypeDefinitions {
  /** The name of its class. */
  readonly owner: string;
  readonly sdl: string;
}

/** An operation that every collection has, of one collection. */
export interface CollectionOperation extends BoundMethod {
  readonly collection: string;
  readonly operation: OperationName;
  readonly lists: ListTypes;
}

/** A field of `Query`, `Mutation` or another type that a resolver declares itself. */
export interface NamedField extends BoundMethod {
  readonly type: string;
  readonly field: string;
}

const SYSTEM = 'service_';
export const ROOTS: readonly string[] = ['Query', 'Mutation'];

/** The service's own collections are at one endpoint, under names without their prefix; the teams' at the other. */
const endpointOf = (collection: string): Endpoint =>
  collection.startsWith(SYSTEM) ? 'system' : 'items';

class NothingResolver {
  @SignedIn()
  nothing(): null {
    return null;
  }
}

/** Finds the resolvers of an endpoint and wraps their methods as Nest's own explorer does. */
@Injectable()
export class ResolverExplorer {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly collections: Collections,
    private readonly binder: MethodBinder,
  ) {
    // Runs before any module looks for resolvers.
    for (const { metatype } of this.discovery.getProviders({ metadataKey: TypeDefs.KEY })) {
      if (metatype) detachMetadata(metatype as Type<object>);
    }
  }

  /** @throws RegistrationError where two resolvers belong to one collection, or an override lacks its decorators */
  operations(endpoint: Endpoint): CollectionOperation[] {
    const own = this.ownResolvers();
    const closed = closedCollections(this.discovery);
    return [...this.collections.registry.all()]
      .filter(({ name }) => endpointOf(name) === endpoint && (!closed.has(name) || own.has(name)))
      .flatMap(({ name }) => this.operationsOf(name, own.get(name) ?? this.plainResolver(name)));
  }

  /** The fields that resolvers with `@TypeDefs` answer at the endpoint. */
  fields(endpoint: Endpoint): NamedField[] {
    return this.withTypeDefs(endpoint).flatMap(({ resolver }) =>
      this.scanner
        .getAllMethodNames(resolver.type.prototype as object)
        .flatMap((method) => this.namedField(resolver, method)),
    );
  }

  /** The SDL of the resolvers at the endpoint, with the resolver's name. */
  typeDefs(endpoint: Endpoint): TypeDefinitions[] {
    return this.withTypeDefs(endpoint).map(({ resolver, sdl }) => ({
      owner: resolver.type.name,
      sdl,
    }));
  }

  /** The query of a schema without collections; guarded like everything else. */
  placeholder(): BoundMethod {
    return this.binder.bind(
      { type: NothingResolver, instance: new NothingResolver() },
      'nothing',
      'operation',
    );
  }

  private withTypeDefs(endpoint: Endpoint): { resolver: FoundResolver; sdl: string }[] {
    return this.discovery.getProviders({ metadataKey: TypeDefs.KEY }).flatMap((provider) => {
      const found = this.discovery.getMetadataByDecorator(TypeDefs, provider);
      return found?.endpoint === endpoint
        ? [{ resolver: resolverOfProvider(provider), sdl: found.sdl }]
        : [];
    });
  }

  private ownResolvers(): ReadonlyMap<string, FoundResolver> {
    const found = new Map<string, FoundResolver>();
    for (const provider of this.discovery.getProviders()) {
      const { metatype } = provider;
      const collection = metatype ? resolvedCollection(metatype) : undefined;
      if (collection === undefined) continue;
      const resolver = resolverOfProvider(provider);
      refuseBareOverrides(resolver.type, DECORATED);
      refuseSecond(found.get(collection), resolver, collection);
      found.set(collection, resolver);
    }
    return found;
  }

  private plainResolver(collection: string): FoundResolver {
    const { singleton, view } = this.collections.registry.table(collection);
    const writing = singleton ? SingletonResolver : ItemsResolver;
    const resolver: (of: string) => Type<object> = view ? ReadingResolver : writing;
    const type = resolver(collection);
    return { type, instance: new type(this.collections.service(collection)) };
  }

  private operationsOf(collection: string, resolver: FoundResolver): CollectionOperation[] {
    const lists =
      (Reflect.getMetadata(DeclareLists.KEY, resolver.type) as ListTypes | undefined) ?? 'lenient';
    return this.scanner.getAllMethodNames(resolver.type.prototype as object).flatMap((method) => {
      const operation = metadataOf<OperationName>(OPERATION, resolver, method);
      if (operation === undefined) return [];
      return [{ collection, operation, lists, ...this.binder.bind(resolver, method, 'operation') }];
    });
  }

  private namedField(resolver: FoundResolver, method: string): NamedField[] {
    const type = parentOf(resolver, method);
    if (type === undefined) return [];
    const field = (detachedMetadataOf(RESOLVER_NAME_METADATA, resolver, method) ??
      method) as string;
    const as = ROOTS.includes(type) ? 'operation' : 'field';
    return [{ type, field, ...this.binder.bind(resolver, method, as) }];
  }
}

function refuseSecond(
  known: FoundResolver | undefined,
  resolver: FoundResolver,
  collection: string,
): void {
  if (!known) return;
  throw new RegistrationError(
    `${known.type.name} and ${resolver.type.name} are both resolvers of ${collection}: keep one of them.`,
  );
}

const DECORATED: Repeated = {
  isDecorated: (method, owner) =>
    Reflect.hasMetadata(OPERATION, method) &&
    (Reflect.hasMetadata(ROUTE_ACCESS, method) || Reflect.hasMetadata(ROUTE_ACCESS, owner)),
  written: (method) =>
    `@Operation('${String(Reflect.getMetadata(OPERATION, method))}') ${writtenAccess(
      Reflect.getMetadata(ROUTE_ACCESS, method) as RouteAccess,
    )}`,
};
