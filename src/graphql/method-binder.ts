import { Injectable } from '@nestjs/common';
import { ContextIdFactory, ExternalContextCreator, ModuleRef } from '@nestjs/core';
import { PARAM_ARGS_METADATA } from '@nestjs/graphql';
import { GqlParamsFactory } from '@nestjs/graphql/dist/factories/params.factory.js';
import type { GraphQLFieldResolver } from 'graphql';
import { answerErrorsOf } from '../common/errors';
import { ROUTE_ACCESS, type RouteAccess } from '../common/request/access.decorators';
import { BUDGETED } from './budget.guards';
import type { GraphqlContext } from './graphql-context';
import { withBudget } from './request-budget';
import { type FoundResolver, metadataOf } from './found-resolver';

type Resolve = GraphQLFieldResolver<unknown, GraphqlContext, Record<string, unknown>>;

/** A method that answers a field of the schema, with guards, pipes, interceptors and filters around it. */
export interface BoundMethod {
  /** `UsersResolver.me`, for messages at the start. */
  readonly place: string;
  readonly access: RouteAccess | undefined;
  readonly resolve: Resolve;
}

/** Guards, interceptors and filters act on operations, not on the fields below them. */
type BoundAs = 'operation' | 'field';

/** Wraps the methods of resolvers as Nest's own explorer does. */
@Injectable()
export class MethodBinder {
  private readonly params = new GqlParamsFactory();

  constructor(
    private readonly contexts: ExternalContextCreator,
    private readonly modules: ModuleRef,
  ) {}

  bind(resolver: FoundResolver, method: string, as: BoundAs): BoundMethod {
    const root = as === 'operation';
    answerErrorsOf(resolver.type);
    const access =
      metadataOf<RouteAccess>(ROUTE_ACCESS, resolver, method) ??
      (Reflect.getMetadata(ROUTE_ACCESS, resolver.type) as RouteAccess | undefined);
    const call = this.callOf(resolver, method, as);
    const isBudgeted = metadataOf<true>(BUDGETED, resolver, method) === true;
    return {
      place: `${resolver.type.name}.${method}`,
      access,
      // The request comes first, where guards written for REST look for it with `switchToHttp().getRequest()`.
      resolve: async (source, args, context, info) => {
        const known = root && !info.path.prev && context.answers.get(info.path.key);
        if (known) return known;
        const waiting = root ? context.slots.take() : undefined;
        if (waiting) await waiting;
        try {
          const budgetedInfo = withBudget(info, context.budget);
          const answer = await call(root ? context.request : source, args, context, budgetedInfo);
          if (isBudgeted) context.budget.take(answer, info);
          return answer;
        } finally {
          if (root) context.slots.leave();
        }
      },
    };
  }

  private callOf(
    resolver: FoundResolver,
    method: string,
    as: BoundAs,
  ): (...args: unknown[]) => unknown {
    const root = as === 'operation';
    const wrap = (instance: object, contextId?: { readonly id: number }) =>
      this.contexts.create(
        ...([instance, Reflect.get(instance, method), method] as const),
        ...([PARAM_ARGS_METADATA, this.params, contextId, resolver.perRequest] as const),
        { guards: root, interceptors: root, filters: root },
        'graphql',
      ) as (...args: unknown[]) => unknown;
    if (resolver.perRequest === undefined) return wrap(resolver.instance);
    return async (...args) => {
      const { request } = args[2] as GraphqlContext;
      const contextId = ContextIdFactory.getByRequest(request);
      this.modules.registerRequestByContextId(request, contextId);
      const instance = await this.modules.resolve(resolver.type, contextId, { strict: false });
      return wrap(instance, contextId)(...args);
    };
  }
}
