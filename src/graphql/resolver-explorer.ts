import { Injectable, type Type } from '@nestjs/common';
import {
  ContextIdFactory,
  DiscoveryService,
  ExternalContextCreator,
  MetadataScanner,
  ModuleRef,
} from '@nestjs/core';
import {
  PARAM_ARGS_METADATA,
  RESOLVER_NAME_METADATA,
  RESOLVER_PROPERTY_METADATA,
  RESOLVER_TYPE_METADATA,
} from '@nestjs/graphql';
import { GqlParamsFactory } from '@nestjs/graphql/dist/factories/params.factory.js';
import type { GraphQLFieldResolver } from 'graphql';
import { Collections, refuseBareOverrides, type Repeated } from '../collections';
import {
  ROUTE_ACCESS,
  type RouteAccess,
  SignedIn,
  writtenAccess,
} from '../common/request/access.decorators';
import { RegistrationError } from '../common/schema';
import { BUDGETED } from './answer-budget';
import type { GraphqlContext } from './graphql-context';
import { ItemsResolver, SingletonResolver } from './items.resolver';
import { resolvedCollection } from './reading.resolver';
import { type Endpoint, OPERATION, type OperationName, TypeDefs } from './operation';

type Resolve = GraphQLFieldResolver<unknown, GraphqlContext, Record<string, unknown>>;

/** A method that answers a field of the schema, with guards, pipes, interceptors and filters around it. */
export interface BoundMethod {
  /** `UsersResolver.me`, for what the start says. */
  readonly place: string;
  readonly access: RouteAccess | undefined;
  readonly resolve: Resolve;
}

/** An operation that every collection has, of one collection. */
export interface CollectionOperation extends BoundMethod {
  readonly collection: string;
  readonly operation: OperationName;
}

/** A field of `Query`, `Mutation` or another type that a resolver says itself what it looks like. */
export interface NamedField extends BoundMethod {
  readonly type: string;
  readonly field: string;
}

/** A resolver, wherever it comes from. */
interface Host {
  readonly type: Type<object>;
  readonly instance: object;
  /** The provider's, where an instance is made for each request. */
  readonly perRequest?: string;
}

const SYSTEM = 'service_';
const ROOTS: readonly string[] = ['Query', 'Mutation'];

/** The service's own collections are at one endpoint, under names without their prefix; the teams' at the other. */
export const endpointOf = (collection: string): Endpoint =>
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
  private readonly params = new GqlParamsFactory();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly contexts: ExternalContextCreator,
    private readonly modules: ModuleRef,
    private readonly collections: Collections,
  ) {}

  /** @throws RegistrationError where two resolvers are of one collection, or an override lacks its decorators */
  operations(endpoint: Endpoint): CollectionOperation[] {
    const own = this.ownResolvers();
    return [...this.collections.registry.all()]
      .filter(({ name }) => endpointOf(name) === endpoint)
      .flatMap(({ name }) => this.operationsOf(name, own.get(name) ?? this.plainResolver(name)));
  }

  /** What the resolvers with `@TypeDefs` answer at the endpoint. */
  fields(endpoint: Endpoint): NamedField[] {
    return this.withTypeDefs(endpoint).flatMap(({ host }) =>
      this.scanner
        .getAllMethodNames(host.type.prototype as object)
        .flatMap((method) => this.namedField(host, method)),
    );
  }

  /** The SDL of the resolvers at the endpoint, with the resolver's name. */
  typeDefs(endpoint: Endpoint): { readonly owner: string; readonly sdl: string }[] {
    return this.withTypeDefs(endpoint).map(({ host, sdl }) => ({ owner: host.type.name, sdl }));
  }

  /** What stands where there is nothing to ask for; guarded like everything else. */
  placeholder(): BoundMethod {
    return this.bind({ type: NothingResolver, instance: new NothingResolver() }, 'nothing', true);
  }

  private withTypeDefs(endpoint: Endpoint): { host: Host; sdl: string }[] {
    return this.discovery.getProviders({ metadataKey: TypeDefs.KEY }).flatMap((provider) => {
      const found = this.discovery.getMetadataByDecorator(TypeDefs, provider);
      return found?.endpoint === endpoint ? [{ host: hostOf(provider), sdl: found.sdl }] : [];
    });
  }

  private ownResolvers(): ReadonlyMap<string, Host> {
    const found = new Map<string, Host>();
    for (const provider of this.discovery.getProviders()) {
      const { metatype } = provider;
      const collection = metatype ? resolvedCollection(metatype) : undefined;
      if (collection === undefined) continue;
      const host = hostOf(provider);
      refuseBareOverrides(host.type, DECORATED);
      refuseSecond(found.get(collection), host, collection);
      found.set(collection, host);
    }
    return found;
  }

  private plainResolver(collection: string): Host {
    const { singleton } = this.collections.registry.table(collection);
    const type = singleton ? SingletonResolver(collection) : ItemsResolver(collection);
    return { type, instance: new type(this.collections.service(collection)) };
  }

  private operationsOf(collection: string, host: Host): CollectionOperation[] {
    return this.scanner.getAllMethodNames(host.type.prototype as object).flatMap((method) => {
      const operation = metadataOf<OperationName>(OPERATION, host, method);
      return operation ? [{ collection, operation, ...this.bind(host, method, true) }] : [];
    });
  }

  private namedField(host: Host, method: string): NamedField[] {
    const type = parentOf(host, method);
    if (type === undefined) return [];
    const field = metadataOf<string>(RESOLVER_NAME_METADATA, host, method) ?? method;
    return [{ type, field, ...this.bind(host, method, ROOTS.includes(type)) }];
  }

  /** @param root guards, interceptors and filters act on operations, not on the fields below them */
  private bind(host: Host, method: string, root: boolean): BoundMethod {
    const access =
      metadataOf<RouteAccess>(ROUTE_ACCESS, host, method) ??
      (Reflect.getMetadata(ROUTE_ACCESS, host.type) as RouteAccess | undefined);
    const call = this.callOf(host, method, root);
    const isBudgeted = metadataOf<true>(BUDGETED, host, method) === true;
    return {
      place: `${host.type.name}.${method}`,
      access,
      // The request comes first, where `switchToHttp().getRequest()` of a guard written for REST looks for it.
      resolve: async (source, args, context, info) => {
        const answer = await call(root ? context.request : source, args, context, info);
        if (isBudgeted) context.budget.take(answer);
        return answer;
      },
    };
  }

  private callOf(host: Host, method: string, root: boolean): (...args: unknown[]) => unknown {
    const wrap = (instance: object, contextId?: { readonly id: number }) =>
      this.contexts.create(
        ...([instance, Reflect.get(instance, method), method] as const),
        ...([PARAM_ARGS_METADATA, this.params, contextId, host.perRequest] as const),
        { guards: root, interceptors: root, filters: root },
        'graphql',
      ) as (...args: unknown[]) => unknown;
    if (host.perRequest === undefined) return wrap(host.instance);
    return async (...args) => {
      const { request } = args[2] as GraphqlContext;
      const contextId = ContextIdFactory.getByRequest(request);
      this.modules.registerRequestByContextId(request, contextId);
      const instance = await this.modules.resolve(host.type, contextId, { strict: false });
      return wrap(instance, contextId)(...args);
    };
  }
}

type Provider = ReturnType<DiscoveryService['getProviders']>[number];

const hostOf = (provider: Provider): Host => ({
  type: provider.metatype as Type<object>,
  instance: provider.instance as object,
  ...(!provider.isDependencyTreeStatic() && { perRequest: provider.id }),
});

const metadataOf = <T>(key: string, { type }: Host, method: string): T | undefined => {
  const target: unknown = Reflect.get(type.prototype as object, method);
  return typeof target === 'function' ? (Reflect.getMetadata(key, target) as T) : undefined;
};

/** The type whose field a method answers: of `@ResolveField` that of the class's `@Resolver('…')`. */
function parentOf(host: Host, method: string): string | undefined {
  const own = metadataOf<string>(RESOLVER_TYPE_METADATA, host, method);
  if (own !== undefined || !metadataOf(RESOLVER_PROPERTY_METADATA, host, method)) return own;
  return Reflect.getMetadata(RESOLVER_TYPE_METADATA, host.type) as string | undefined;
}

function refuseSecond(known: Host | undefined, host: Host, collection: string): void {
  if (!known) return;
  throw new RegistrationError(
    `${known.type.name} and ${host.type.name} are both resolvers of ${collection}: keep one of them.`,
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
