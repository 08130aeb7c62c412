import { Controller, Get, Param } from '@nestjs/common';
import type { Who as Caller } from '../collections';
import { SignedIn } from '../common/request/access.decorators';
import { Who } from '../common/request/transport';
import { type ItemReport, PermissionsService } from './permissions.service';
import type { PermissionReport } from './permission-report';

interface Data<T> {
  readonly data: T;
}

/** What the caller may do. */
@Controller('permissions/me')
@SignedIn()
export class MyPermissionsController {
  constructor(private readonly permissions: PermissionsService) {}

  @Get()
  mine(@Who() who: Caller): Data<PermissionReport> {
    return { data: this.permissions.mine(who) };
  }

  @Get(':collection')
  async singleton(
    @Who() who: Caller,
    @Param('collection') collection: string,
  ): Promise<Data<ItemReport>> {
    return { data: await this.permissions.item(who, collection, undefined) };
  }

  @Get(':collection/:id')
  async item(
    @Who() who: Caller,
    @Param('collection') collection: string,
    @Param('id') id: string,
  ): Promise<Data<ItemReport>> {
    return { data: await this.permissions.item(who, collection, id) };
  }
}
