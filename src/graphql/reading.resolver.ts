import { Inject } from '@nestjs/common';
import type { GraphQLResolveInfo } from 'graphql';
import {
  type Answer,
  type CollectionReference,
  type CollectionService,
  nameOf,
  overridable,
  serviceToken,
} from '../collections';
import { RequirePermission } from '../common/request/access.decorators';
import { CurrentCaller } from '../common/request/transport';
import type { Caller } from '../engine';
import type { AnswerBudget } from '../repository';
import { Budgeted } from './budget.guards';
import { Operation } from './operation';
import { Arguments, Budget, ResolveInfo } from './operation-parameters';
import { aggregatesOf, presentAggregate } from './schema/aggregates';
import { queryArguments, selectionOf } from './schema/selection';

/** What `ReadingResolver` gives. */
export interface ReadingOperations {
  readonly items: CollectionService;
  list(
    caller: Caller,
    args: Arguments,
    info: GraphQLResolveInfo,
    budget: AnswerBudget,
  ): Promise<unknown>;
  one(
    caller: Caller,
    args: Arguments,
    info: GraphQLResolveInfo,
    budget: AnswerBudget,
  ): Promise<unknown>;
  aggregate(
    caller: Caller,
    args: Arguments,
    info: GraphQLResolveInfo,
    budget: AnswerBudget,
  ): Promise<unknown>;
}

const COLLECTION = Symbol('doorward:resolved-collection');

/** The collection whose operations a resolver's class has, if it extends one of the two below. */
export const resolvedCollection = (type: object): string | undefined =>
  Reflect.getMetadata(COLLECTION, type) as string | undefined;

/** The `data` of an answer; null without an answer, as GraphQL has it. */
export const dataOf = async (answer: Promise<Answer | undefined>): Promise<unknown> =>
  (await answer)?.data ?? null;

/** The operations of a collection that is only read, to be extended like those of `ItemsResolver`. */
export function ReadingResolver(
  reference: CollectionReference,
  Require: typeof RequirePermission = RequirePermission,
): new (items: CollectionService) => ReadingOperations {
  const collection = nameOf(reference);
  class Reads implements ReadingOperations {
    constructor(@Inject(serviceToken(collection)) readonly items: CollectionService) {}

    @Operation('list')
    @Budgeted('list')
    @Require('read', collection)
    list(
      @CurrentCaller() caller: Caller,
      @Arguments() args: Arguments,
      @ResolveInfo() info: GraphQLResolveInfo,
      @Budget() budget: AnswerBudget,
    ) {
      const query = { ...queryArguments(args), ...selectionOf(info) };
      return dataOf(this.items.list(caller, query, budget));
    }

    @Operation('one')
    @Budgeted('item')
    @Require('read', collection)
    one(
      @CurrentCaller() caller: Caller,
      @Arguments() args: Arguments,
      @ResolveInfo() info: GraphQLResolveInfo,
      @Budget() budget: AnswerBudget,
    ) {
      const { id, ...rest } = args;
      const query = { ...rest, ...selectionOf(info) };
      return dataOf(this.items.one(caller, String(id), query, budget));
    }

    @Operation('aggregate')
    @Budgeted('aggregate')
    @Require('read', collection)
    async aggregate(
      @CurrentCaller() caller: Caller,
      @Arguments() args: Arguments,
      @ResolveInfo() info: GraphQLResolveInfo,
      @Budget() budget: AnswerBudget,
    ) {
      const aggregate = aggregatesOf(info);
      const query = { ...queryArguments(args), aggregate };
      const { data } = await this.items.list(caller, query, budget);
      return presentAggregate(data, aggregate);
    }
  }
  return resolverOf(collection, Reads);
}

/** Marks a base class as the resolver of a collection, whose methods subclasses may override. */
export function resolverOf<T extends new (items: CollectionService) => object>(
  collection: string,
  type: T,
): T {
  Reflect.defineMetadata(COLLECTION, collection, type);
  return overridable(type);
}
