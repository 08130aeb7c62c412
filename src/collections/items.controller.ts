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
  Search,
  type Type,
} from '@nestjs/common';
import { collectionOf, type EntityClass } from '../common/schema';
import type { Who as Caller } from '../engine';
import { RequirePermission } from '../common/request/access.decorators';
import { Who } from '../common/request/transport';
import type { Answer } from './answer';
import type { CollectionService } from './collection.service';
import { overridable } from './overrides';
import type { RawQuery } from '../repository/query/query';
import { type CollectionReference, nameOf, serviceToken } from './tokens';

type Reply = Promise<Answer | undefined>;

/** What `ItemsController` gives: a method for each route of a collection of many items. */
export interface ItemsRoutes {
  readonly items: CollectionService;
  list(who: Caller, query: RawQuery): Reply;
  search(who: Caller, body: unknown): Reply;
  one(who: Caller, id: string, query: RawQuery): Reply;
  create(who: Caller, body: unknown, query: RawQuery): Reply;
  updateMany(who: Caller, body: unknown, query: RawQuery): Reply;
  updateOne(who: Caller, id: string, body: unknown, query: RawQuery): Reply;
  deleteMany(who: Caller, body: unknown): Promise<void>;
  deleteOne(who: Caller, id: string): Promise<void>;
}

/** What `SingletonController` gives. */
export interface SingletonRoutes {
  readonly items: CollectionService;
  read(who: Caller, query: RawQuery): Reply;
  update(who: Caller, body: unknown, query: RawQuery): Reply;
}

/**
 * The routes of a collection of many items, to be extended by its own controller:
 *
 *     @Controller('users')
 *     export class UsersController extends ItemsController(User) {}
 *
 * A method that overrides one of them repeats its decorators; the start is refused where it does not.
 */
export function ItemsController(
  reference: CollectionReference,
): new (items: CollectionService) => ItemsRoutes {
  const collection = nameOf(reference);
  class Items implements ItemsRoutes {
    constructor(@Inject(serviceToken(collection)) readonly items: CollectionService) {}

    @Get()
    @RequirePermission('read', collection)
    list(@Who() who: Caller, @Query() query: RawQuery): Reply {
      return this.items.list(who, query);
    }

    @Search()
    @RequirePermission('read', collection)
    search(@Who() who: Caller, @Body() body: unknown): Reply {
      return this.items.search(who, body);
    }

    @Get(':id')
    @RequirePermission('read', collection)
    one(@Who() who: Caller, @Param('id') id: string, @Query() query: RawQuery): Reply {
      return this.items.one(who, id, query);
    }

    @Post()
    @HttpCode(200)
    @RequirePermission('create', collection)
    create(@Who() who: Caller, @Body() body: unknown, @Query() query: RawQuery): Reply {
      return this.items.create(who, body, query);
    }

    @Patch()
    @RequirePermission('update', collection)
    updateMany(@Who() who: Caller, @Body() body: unknown, @Query() query: RawQuery): Reply {
      return this.items.updateMany(who, body, query);
    }

    @Patch(':id')
    @RequirePermission('update', collection)
    updateOne(
      @Who() who: Caller,
      @Param('id') id: string,
      @Body() body: unknown,
      @Query() query: RawQuery,
    ): Reply {
      return this.items.updateOne(who, id, body, query);
    }

    @Delete()
    @RequirePermission('delete', collection)
    deleteMany(@Who() who: Caller, @Body() body: unknown): Promise<void> {
      return this.items.deleteMany(who, body);
    }

    @Delete(':id')
    @RequirePermission('delete', collection)
    deleteOne(@Who() who: Caller, @Param('id') id: string): Promise<void> {
      return this.items.deleteOne(who, id);
    }
  }
  return overridable(Items);
}

/** The routes of a collection of one item, to be extended like those of `ItemsController`. */
export function SingletonController(
  reference: CollectionReference,
): new (items: CollectionService) => SingletonRoutes {
  const collection = nameOf(reference);
  class Singleton implements SingletonRoutes {
    constructor(@Inject(serviceToken(collection)) readonly items: CollectionService) {}

    @Get()
    @RequirePermission('read', collection)
    read(@Who() who: Caller, @Query() query: RawQuery): Reply {
      return this.items.readSingleton(who, query);
    }

    @Patch()
    @RequirePermission('update', collection)
    update(@Who() who: Caller, @Body() body: unknown, @Query() query: RawQuery): Reply {
      return this.items.updateSingleton(who, body, query);
    }
  }
  return overridable(Singleton);
}

/** The controller of a collection that has nothing to add. */
export function plainController(entity: EntityClass, path: string): Type<object> {
  const Routes: Type<object> = collectionOf(entity).singleton
    ? SingletonController(entity)
    : ItemsController(entity);
  @Controller(path)
  class PlainController extends Routes {}
  return PlainController;
}
