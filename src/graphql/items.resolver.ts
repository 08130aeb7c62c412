import { Inject } from '@nestjs/common';
import type { GraphQLResolveInfo } from 'graphql';
import {
  type CollectionService,
  type CollectionReference,
  nameOf,
  serviceToken,
} from '../collections';
import { RequirePermission } from '../common/request/access.decorators';
import { CurrentCaller } from '../common/request/transport';
import type { Caller } from '../engine';
import type { AnswerBudget } from '../repository';
import { AnswersKeys, Budgeted } from './budget.guards';
import { Operation } from './operation';
import { Arguments, Budget, ResolveInfo } from './operation-parameters';
import { dataOf, type ReadingOperations, ReadingResolver, resolverOf } from './reading.resolver';
import { selectionOf } from './schema/selection';

/** What `ItemsResolver` gives: a method for each operation of a collection of many items. */
export interface ItemsOperations extends ReadingOperations {
  createOne(caller: Caller, args: Arguments, info: GraphQLResolveInfo): Promise<unknown>;
  createMany(caller: Caller, args: Arguments, info: GraphQLResolveInfo): Promise<unknown>;
  updateOne(caller: Caller, args: Arguments, info: GraphQLResolveInfo): Promise<unknown>;
  updateMany(caller: Caller, args: Arguments, info: GraphQLResolveInfo): Promise<unknown>;
  updateBatch(caller: Caller, args: Arguments, info: GraphQLResolveInfo): Promise<unknown>;
  deleteOne(caller: Caller, args: Arguments): Promise<unknown>;
  deleteMany(caller: Caller, args: Arguments): Promise<unknown>;
}

/** What `SingletonResolver` gives. */
export interface SingletonOperations {
  readonly items: CollectionService;
  read(caller: Caller, info: GraphQLResolveInfo, budget: AnswerBudget): Promise<unknown>;
  update(caller: Caller, args: Arguments, info: GraphQLResolveInfo): Promise<unknown>;
}

/**
 * A base class with the GraphQL operations of a collection of many items, for a resolver that adds or overrides
 * operations. The collection is registered with `routes: false`.
 *
 *     @Resolver()
 *     export class InvoicesResolver extends ItemsResolver(Invoice) {}
 *
 * A method that overrides one of its operations repeats the decorators; otherwise the start is refused, with what to
 * write.
 */
export function ItemsResolver(
  reference: CollectionReference,
  Require: typeof RequirePermission = RequirePermission,
): new (items: CollectionService) => ItemsOperations {
  const collection = nameOf(reference);
  class Items extends ReadingResolver(reference, Require) implements ItemsOperations {
    @Operation('createOne')
    @Require('create', collection)
    createOne(
      @CurrentCaller() caller: Caller,
      @Arguments() args: Arguments,
      @ResolveInfo() info: GraphQLResolveInfo,
    ) {
      return dataOf(this.items.create(caller, args['data'], selectionOf(info)));
    }

    @Operation('createMany')
    @Require('create', collection)
    createMany(
      @CurrentCaller() caller: Caller,
      @Arguments() args: Arguments,
      @ResolveInfo() info: GraphQLResolveInfo,
    ) {
      return dataOf(this.items.create(caller, args['data'] ?? [], selectionOf(info)));
    }

    @Operation('updateOne')
    @Require('update', collection)
    updateOne(
      @CurrentCaller() caller: Caller,
      @Arguments() args: Arguments,
      @ResolveInfo() info: GraphQLResolveInfo,
    ) {
      const { id, data } = args;
      return dataOf(this.items.updateOne(caller, String(id), data, selectionOf(info)));
    }

    @Operation('updateMany')
    @Require('update', collection)
    updateMany(
      @CurrentCaller() caller: Caller,
      @Arguments() args: Arguments,
      @ResolveInfo() info: GraphQLResolveInfo,
    ) {
      const { ids, id, data } = args;
      return dataOf(this.items.updateMany(caller, { keys: ids ?? id, data }, selectionOf(info)));
    }

    @Operation('updateBatch')
    @Require('update', collection)
    updateBatch(
      @CurrentCaller() caller: Caller,
      @Arguments() args: Arguments,
      @ResolveInfo() info: GraphQLResolveInfo,
    ) {
      return dataOf(this.items.updateMany(caller, args['data'] ?? [], selectionOf(info)));
    }

    @Operation('deleteOne')
    @AnswersKeys()
    @Require('delete', collection)
    async deleteOne(@CurrentCaller() caller: Caller, @Arguments() { id }: Arguments) {
      await this.items.deleteOne(caller, String(id));
      return { id };
    }

    @Operation('deleteMany')
    @AnswersKeys()
    @Require('delete', collection)
    async deleteMany(@CurrentCaller() caller: Caller, @Arguments() { ids }: Arguments) {
      await this.items.deleteMany(caller, ids);
      return { ids };
    }
  }
  return resolverOf(collection, Items);
}

/** The same for a singleton: a query and a mutation of its one item, without a key. */
export function SingletonResolver(
  reference: CollectionReference,
): new (items: CollectionService) => SingletonOperations {
  const collection = nameOf(reference);
  class Singleton implements SingletonOperations {
    constructor(@Inject(serviceToken(collection)) readonly items: CollectionService) {}

    @Operation('readSingleton')
    @Budgeted('item')
    @RequirePermission('read', collection)
    read(
      @CurrentCaller() caller: Caller,
      @ResolveInfo() info: GraphQLResolveInfo,
      @Budget() budget: AnswerBudget,
    ) {
      return dataOf(this.items.readSingleton(caller, selectionOf(info), budget));
    }

    @Operation('updateSingleton')
    @RequirePermission('update', collection)
    update(
      @CurrentCaller() caller: Caller,
      @Arguments() args: Arguments,
      @ResolveInfo() info: GraphQLResolveInfo,
    ) {
      return dataOf(this.items.updateSingleton(caller, args['data'], selectionOf(info)));
    }
  }
  return resolverOf(collection, Singleton);
}
