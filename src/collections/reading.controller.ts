import { Body, Get, Inject, Param, Search } from '@nestjs/common';
import type { Caller } from '../engine';
import { RequirePermission } from '../common/request/access.decorators';
import { DescribeItems } from '../common/request/describe.decorator';
import { CurrentCaller } from '../common/request/transport';
import type { Answer } from './answer';
import type { CollectionService } from './collection.service';
import { overridable } from './overrides';
import { ReadQuery } from './read-query';
import type { RawQuery } from '../repository/query/query';
import { type CollectionReference, nameOf, serviceToken } from './tokens';

/** What `ReadingController` gives. */
export interface ReadingRoutes {
  readonly items: CollectionService;
  list(caller: Caller, query: RawQuery): Promise<Answer | undefined>;
  search(caller: Caller, body: unknown): Promise<Answer | undefined>;
  one(caller: Caller, id: string, query: RawQuery): Promise<Answer | undefined>;
}

/** The routes of a collection that is only read, to be extended like those of `ItemsController`. */
export function ReadingController(
  reference: CollectionReference,
  Require: typeof RequirePermission = RequirePermission,
): new (items: CollectionService) => ReadingRoutes {
  const collection = nameOf(reference);
  class Reads implements ReadingRoutes {
    constructor(@Inject(serviceToken(collection)) readonly items: CollectionService) {}

    @Get()
    @DescribeItems('list')
    @Require('read', collection)
    list(
      @CurrentCaller() caller: Caller,
      @ReadQuery() query: RawQuery,
    ): Promise<Answer | undefined> {
      return this.items.list(caller, query);
    }

    @Search()
    @DescribeItems('search')
    @Require('read', collection)
    search(@CurrentCaller() caller: Caller, @Body() body: unknown): Promise<Answer | undefined> {
      return this.items.search(caller, body);
    }

    @Get(':id')
    @DescribeItems('one')
    @Require('read', collection)
    one(
      @CurrentCaller() caller: Caller,
      @Param('id') id: string,
      @ReadQuery() query: RawQuery,
    ): Promise<Answer | undefined> {
      return this.items.one(caller, id, query);
    }
  }
  return overridable(Reads);
}
