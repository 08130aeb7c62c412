import { Inject } from '@nestjs/common';
import type { GraphQLResolveInfo } from 'graphql';
import {
  type Answer,
  type CollectionService,
  overridable,
  type CollectionReference,
  nameOf,
  serviceToken,
} from '../collections';
import { RequirePermission } from '../common/request/access.decorators';
import { CurrentCaller } from '../common/request/transport';
import type { Caller } from '../engine';
import type { ReadingBudget } from '../repository';
import { Budgeted } from './answer-budget';
import { Arguments, Operation, ReadingInput, Selection } from './operation';
import { aggregatesOf, presentAggregate } from './schema/aggregates';
import { queryArguments, selectionOf } from './schema/selection';

/** What `ItemsResolver` gives: a method for each operation of a collection of many items. */
export interface ItemsOperations {
  readonly items: CollectionService;
  list(
    caller: Caller,
    args: Arguments,
    info: GraphQLResolveInfo,
    reading: ReadingBudget,
  ): Promise<unknown>;
  one(
    caller: Caller,
    args: Arguments,
    info: GraphQLResolveInfo,
    reading: ReadingBudget,
  ): Promise<unknown>;
  aggregate(caller: Caller, args: Arguments, info: GraphQLResolveInfo): Promise<unknown>;
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
  read(caller: Caller, info: GraphQLResolveInfo, reading: ReadingBudget): Promise<unknown>;
  update(caller: Caller, args: Arguments, info: GraphQLResolveInfo): Promise<unknown>;
}

const COLLECTION = Symbol('doorward:resolved-collection');

/** The collection whose operations a resolver's class has, if it extends one of the two below. */
export const resolvedCollection = (type: object): string | undefined =>
  Reflect.getMetadata(COLLECTION, type) as string | undefined;

const dataOf = async (answer: Promise<Answer | undefined>): Promise<unknown> =>
  (await answer)?.data ?? null;

/**
 * The operations of a collection of many items, to be extended by its own resolver:
 *
 *     @Resolver()
 *     export class UsersResolver extends ItemsResolver(User) {}
 *
 * A method that overrides one of them repeats its decorators; the start is refused where it does not.
 */
export function ItemsResolver(
  reference: CollectionReference,
): new (items: CollectionService) => ItemsOperations {
  const collection = nameOf(reference);
  class Items implements ItemsOperations {
    constructor(@Inject(serviceToken(collection)) readonly items: CollectionService) {}

    @Operation('list')
    @Budgeted('list')
    @RequirePermission('read', collection)
    list(
      @CurrentCaller() caller: Caller,
      @Arguments() args: Arguments,
      @Selection() info: GraphQLResolveInfo,
      @ReadingInput() reading: ReadingBudget,
    ) {
      const query = { ...queryArguments(args), ...selectionOf(info) };
      return dataOf(this.items.list(caller, query, reading));
    }

    @Operation('one')
    @Budgeted('item')
    @RequirePermission('read', collection)
    one(
      @CurrentCaller() caller: Caller,
      @Arguments() args: Arguments,
      @Selection() info: GraphQLResolveInfo,
      @ReadingInput() reading: ReadingBudget,
    ) {
      return dataOf(this.items.one(caller, String(args['id']), selectionOf(info), reading));
    }

    @Operation('aggregate')
    @Budgeted('list')
    @RequirePermission('read', collection)
    async aggregate(
      @CurrentCaller() caller: Caller,
      @Arguments() args: Arguments,
      @Selection() info: GraphQLResolveInfo,
    ) {
      const aggregate = aggregatesOf(info);
      const { data } = await this.items.list(caller, { ...queryArguments(args), aggregate });
      return presentAggregate(data, aggregate);
    }

    @Operation('createOne')
    @RequirePermission('create', collection)
    createOne(
      @CurrentCaller() caller: Caller,
      @Arguments() args: Arguments,
      @Selection() info: GraphQLResolveInfo,
    ) {
      return dataOf(this.items.create(caller, args['data'], selectionOf(info)));
    }

    @Operation('createMany')
    @RequirePermission('create', collection)
    createMany(
      @CurrentCaller() caller: Caller,
      @Arguments() args: Arguments,
      @Selection() info: GraphQLResolveInfo,
    ) {
      return dataOf(this.items.create(caller, args['data'] ?? [], selectionOf(info)));
    }

    @Operation('updateOne')
    @RequirePermission('update', collection)
    updateOne(
      @CurrentCaller() caller: Caller,
      @Arguments() args: Arguments,
      @Selection() info: GraphQLResolveInfo,
    ) {
      const { id, data } = args;
      return dataOf(this.items.updateOne(caller, String(id), data, selectionOf(info)));
    }

    @Operation('updateMany')
    @RequirePermission('update', collection)
    updateMany(
      @CurrentCaller() caller: Caller,
      @Arguments() args: Arguments,
      @Selection() info: GraphQLResolveInfo,
    ) {
      const { id: keys, data } = args;
      return dataOf(this.items.updateMany(caller, { keys, data }, selectionOf(info)));
    }

    @Operation('updateBatch')
    @RequirePermission('update', collection)
    updateBatch(
      @CurrentCaller() caller: Caller,
      @Arguments() args: Arguments,
      @Selection() info: GraphQLResolveInfo,
    ) {
      return dataOf(this.items.updateMany(caller, args['data'] ?? [], selectionOf(info)));
    }

    @Operation('deleteOne')
    @RequirePermission('delete', collection)
    async deleteOne(@CurrentCaller() caller: Caller, @Arguments() { id }: Arguments) {
      await this.items.deleteOne(caller, String(id));
      return { id };
    }

    @Operation('deleteMany')
    @RequirePermission('delete', collection)
    async deleteMany(@CurrentCaller() caller: Caller, @Arguments() { ids }: Arguments) {
      await this.items.deleteMany(caller, ids);
      return { ids };
    }
  }
  return resolverOf(collection, Items);
}

/** The operations of a collection of one item, to be extended like those of `ItemsResolver`. */
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
      @Selection() info: GraphQLResolveInfo,
      @ReadingInput() reading: ReadingBudget,
    ) {
      return dataOf(this.items.readSingleton(caller, selectionOf(info), reading));
    }

    @Operation('updateSingleton')
    @RequirePermission('update', collection)
    update(
      @CurrentCaller() caller: Caller,
      @Arguments() args: Arguments,
      @Selection() info: GraphQLResolveInfo,
    ) {
      return dataOf(this.items.updateSingleton(caller, args['data'], selectionOf(info)));
    }
  }
  return resolverOf(collection, Singleton);
}

function resolverOf<T extends new (items: CollectionService) => object>(
  collection: string,
  type: T,
): T {
  Reflect.defineMetadata(COLLECTION, collection, type);
  return overridable(type);
}
