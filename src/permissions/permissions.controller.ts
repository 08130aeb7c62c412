import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import {
  type Answer,
  type CollectionService,
  InjectService,
  ItemsController,
} from '../collections';
import type { RawQuery } from '../repository';
import type { Caller } from '../engine';
import { RequirePermission, SignedIn } from '../common/request/access.decorators';
import { Describe } from '../common/request/describe.decorator';
import { choiceOf, FLAG, listOf, OBJECT, objectOf, TEXT } from '../common/request/json-schema';
import { CurrentCaller } from '../common/request/transport';
import { splitActions } from './flag-body';
import type { PermissionReport } from './permission-report';
import { Permission } from './permission.entity';
import { type ItemReport, PermissionsService } from './permissions.service';

const ITEM_ACCESS = objectOf({ access: FLAG, 'presets?': OBJECT, 'fields?': listOf(TEXT) });
const ITEM_REPORT = objectOf({ update: ITEM_ACCESS, delete: ITEM_ACCESS, share: ITEM_ACCESS });
const ACTION_REPORT = objectOf({
  access: choiceOf('none', 'partial', 'full'),
  'fields?': listOf(TEXT),
  'presets?': OBJECT,
});
const REPORT = {
  type: 'object',
  additionalProperties: { type: 'object', additionalProperties: ACTION_REPORT },
};

/** Rules, which are items, and the report of what the caller may do. */
@Controller('permissions')
export class PermissionsController extends ItemsController(Permission) {
  constructor(
    @InjectService(Permission) items: CollectionService,
    private readonly permissions: PermissionsService,
  ) {
    super(items);
  }

  @Get('me')
  @Describe('What one may do, by collection and action', { answer: REPORT })
  @SignedIn()
  mine(@CurrentCaller() caller: Caller): Answer<PermissionReport> {
    return this.permissions.mine(caller);
  }

  /** Without an id: of a singleton's one row. */
  @Get(['me/:collection', 'me/:collection/:id'])
  @Describe('What one may do with an item; without an id, with the one of a singleton', {
    answer: ITEM_REPORT,
  })
  @SignedIn()
  async mineOf(
    @CurrentCaller() caller: Caller,
    @Param('collection') collection: string,
    @Param('id') id?: string,
  ): Promise<Answer<ItemReport>> {
    return { data: await this.permissions.item(caller, collection, id) };
  }

  /** A body of flags may stand for several rules. */
  @Post()
  @HttpCode(200)
  @RequirePermission('create', 'service_permissions')
  override create(
    @CurrentCaller() caller: Caller,
    @Body() body: unknown,
    @Query() query: RawQuery,
  ): Promise<Answer | undefined> {
    return this.items.create(caller, splitActions(body), query);
  }
}
