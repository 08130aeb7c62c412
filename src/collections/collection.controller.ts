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
import type { Who as Caller } from '../engine';
import { RequirePermission } from '../common/request/access.decorators';
import { Who } from '../common/request/transport';
import type { Answer } from './answer';
import type { CollectionService } from './collection.service';
import type { RawQuery } from '../repository/query/query';
import { serviceToken } from './tokens';

type Reply = Promise<Answer | undefined>;

/** The routes of a collection of many items. */
export function createItemsController(collection: string, path: string): Type<object> {
  @Controller(path)
  class ItemsController {
    constructor(@Inject(serviceToken(collection)) private readonly items: CollectionService) {}

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
  return ItemsController;
}

/** The routes of a collection of one item. */
export function createSingletonController(collection: string, path: string): Type<object> {
  @Controller(path)
  class SingletonController {
    constructor(@Inject(serviceToken(collection)) private readonly items: CollectionService) {}

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
  return SingletonController;
}
