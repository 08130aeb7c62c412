import { Controller, Get, Param } from '@nestjs/common';
import type { Who as Caller } from '../../engine';
import { RequirePermission } from '../../common/request/access.decorators';
import { Who } from '../../common/request/transport';
import type { Answer } from '../answer';
import type { CollectionDescription, FieldDescription } from './description';
import { DescriptionService } from './description.service';

/** What there is, as far as the caller may see it. */
@Controller()
export class DescriptionController {
  constructor(private readonly descriptions: DescriptionService) {}

  @Get('collections')
  @RequirePermission('read', '*')
  collections(@Who() who: Caller): Answer<CollectionDescription[]> {
    return { data: this.descriptions.collections(who) };
  }

  @Get('collections/:collection')
  @RequirePermission('read')
  collection(
    @Who() who: Caller,
    @Param('collection') collection: string,
  ): Answer<CollectionDescription> {
    return { data: this.descriptions.collection(who, collection) };
  }

  @Get('fields')
  @RequirePermission('read', '*')
  fields(@Who() who: Caller): Answer<FieldDescription[]> {
    return { data: this.descriptions.fields(who) };
  }

  @Get('fields/:collection')
  @RequirePermission('read')
  fieldsOf(
    @Who() who: Caller,
    @Param('collection') collection: string,
  ): Answer<FieldDescription[]> {
    return { data: this.descriptions.fieldsOf(who, collection) };
  }

  @Get('fields/:collection/:field')
  @RequirePermission('read')
  field(
    @Who() who: Caller,
    @Param('collection') collection: string,
    @Param('field') field: string,
  ): Answer<FieldDescription> {
    return { data: this.descriptions.field(who, collection, field) };
  }
}
