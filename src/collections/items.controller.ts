import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Inject,
  Param,
  Patch,
  Post,
  Query,
  type Type,
} from '@nestjs/common';
import { collectionName, collectionOf, type EntityClass } from '../common/schema';
import type { Caller } from '../engine';
import { RequirePermission } from '../common/request/access.decorators';
import { DescribeItems } from '../common/request/describe.decorator';
import { CurrentCaller } from '../common/request/transport';
import type { Answer } from './answer';
import type { CollectionService } from './collection.service';
import { overridable } from './overrides';
import { ReadQuery } from './read-query';
import { ReadingController, type ReadingRoutes } from './reading.controller';
import type { RawQuery } from '../repository/query/query';
import { type CollectionReference, nameOf, serviceToken } from './tokens';

/** What `ItemsController` gives: a method for each route of a collection of many items. */
export interface ItemsRoutes extends ReadingRoutes {
  create(caller: Caller, body: unknown, query: RawQuery): Promise<Answer | undefined>;
  updateMany(caller: Caller, body: unknown, query: RawQuery): Promise<Answer | undefined>;
  updateOne(
    caller: Caller,
    id: string,
    body: unknown,
    query: RawQuery,
  ): Promise<Answer | undefined>;
  deleteMany(caller: Caller, body: unknown): Promise<void>;
  deleteOne(caller: Caller, id: string): Promise<void>;
}

/** What `SingletonController` gives. */
export interface SingletonRoutes {
  readonly items: CollectionService;
  read(caller: Caller, query: RawQuery): Promise<Answer | undefined>;
  update(caller: Caller, body: unknown, query: RawQuery): Promise<Answer | undefined>;
}

/**
 * A base class with the REST routes of a collection of many items, for a controller that adds or overrides routes. The
 * collection is registered with `routes: false`.
 *
 *     @Controller('invoices')
 *     export class InvoicesController extends ItemsController(Invoice) {}
 *
 * A method that overrides one of its routes repeats the decorators; otherwise the start is refused, with what to write.
 */
export function ItemsController(
  reference: CollectionReference,
  Require: typeof RequirePermission = RequirePermission,
): new (items: CollectionService) => ItemsRoutes {
  const collection = nameOf(reference);
  class Items extends ReadingController(reference, Require) implements ItemsRoutes {
    @Post()
    @DescribeItems('create')
    @HttpCode(200)
    @Require('create', collection)
    create(
      @CurrentCaller() caller: Caller,
      @Body() body: unknown,
      @Query() query: RawQuery,
    ): Promise<Answer | undefined> {
      return this.items.create(caller, body, query);
    }

    @Patch()
    @DescribeItems('updateMany')
    @Require('update', collection)
    updateMany(
      @CurrentCaller() caller: Caller,
      @Body() body: unknown,
      @Query() query: RawQuery,
    ): Promise<Answer | undefined> {
      return this.items.updateMany(caller, body, query);
    }

    @Patch(':id')
    @DescribeItems('updateOne')
    @Require('update', collection)
    updateOne(
      @CurrentCaller() caller: Caller,
      @Param('id') id: string,
      @Body() body: unknown,
      @Query() query: RawQuery,
    ): Promise<Answer | undefined> {
      return this.items.updateOne(caller, id, body, query);
    }

    @Delete()
    @DescribeItems('deleteMany')
    @Require('delete', collection)
    deleteMany(@CurrentCaller() caller: Caller, @Body() body: unknown): Promise<void> {
      return this.items.deleteMany(caller, body);
    }

    @Delete(':id')
    @DescribeItems('deleteOne')
    @Require('delete', collection)
    deleteOne(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<void> {
      return this.items.deleteOne(caller, id);
    }
  }
  return overridable(Items);
}

/** The same for a singleton: `GET` and `PATCH` of its one item, without a key. */
export function SingletonController(
  reference: CollectionReference,
): new (items: CollectionService) => SingletonRoutes {
  const collection = nameOf(reference);
  class Singleton implements SingletonRoutes {
    constructor(@Inject(serviceToken(collection)) readonly items: CollectionService) {}

    @Get()
    @DescribeItems('readSingleton')
    @RequirePermission('read', collection)
    read(
      @CurrentCaller() caller: Caller,
      @ReadQuery() query: RawQuery,
    ): Promise<Answer | undefined> {
      return this.items.readSingleton(caller, query);
    }

    @Patch()
    @DescribeItems('updateSingleton')
    @RequirePermission('update', collection)
    update(
      @CurrentCaller() caller: Caller,
      @Body() body: unknown,
      @Query() query: RawQuery,
    ): Promise<Answer | undefined> {
      return this.items.updateSingleton(caller, body, query);
    }
  }
  return overridable(Singleton);
}

const PLAIN = Symbol('doorward:plain-controller');

/** The controller of a collection that has nothing to add. */
export function plainController(entity: EntityClass, path: string): Type<object> {
  const Routes: Type<object> = routesOf(entity);
  @Controller(path)
  class PlainController extends Routes {}
  Reflect.defineMetadata(PLAIN, collectionName(entity), PlainController);
  return PlainController;
}

/** The collection of a generated controller. */
export const plainCollectionOf = (controller: object): string | undefined =>
  Reflect.getOwnMetadata(PLAIN, controller) as string | undefined;

function routesOf(entity: EntityClass): Type<object> {
  const { singleton, view } = collectionOf(entity);
  if (view) return ReadingController(entity);
  return singleton ? SingletonController(entity) : ItemsController(entity);
}
