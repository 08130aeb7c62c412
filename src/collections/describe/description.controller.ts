import { Controller, Get, Param } from '@nestjs/common';
import type { Caller } from '../../engine';
import { RequirePermission } from '../../common/request/access.decorators';
import { CurrentCaller } from '../../common/request/transport';
import type { Answer } from '../answer';
import type { CollectionDescription } from './collection-description';
import { DescriptionService } from './description.service';
import type { FieldDescription } from './field-description';
import type { RelationDescription } from './relation-description';

/** What there is, as far as the caller may see it. */
@Controller()
export class DescriptionController {
  constructor(private readonly descriptions: DescriptionService) {}

  @Get('collections')
  @RequirePermission('read', '*')
  collections(@CurrentCaller() caller: Caller): Answer<CollectionDescription[]> {
    return { data: this.descriptions.collections(caller) };
  }

  @Get('collections/:collection')
  @RequirePermission('read')
  collection(
    @CurrentCaller() caller: Caller,
    @Param('collection') collection: string,
  ): Answer<CollectionDescription> {
    return { data: this.descriptions.collection(caller, collection) };
  }

  @Get('fields')
  @RequirePermission('read', '*')
  fields(@CurrentCaller() caller: Caller): Answer<FieldDescription[]> {
    return { data: this.descriptions.fields(caller) };
  }

  @Get('fields/:collection')
  @RequirePermission('read')
  fieldsOf(
    @CurrentCaller() caller: Caller,
    @Param('collection') collection: string,
  ): Answer<FieldDescription[]> {
    return { data: this.descriptions.fieldsOf(caller, collection) };
  }

  @Get('fields/:collection/:field')
  @RequirePermission('read')
  field(
    @CurrentCaller() caller: Caller,
    @Param('collection') collection: string,
    @Param('field') field: string,
  ): Answer<FieldDescription> {
    return { data: this.descriptions.field(caller, collection, field) };
  }

  @Get('relations')
  @RequirePermission('read', '*')
  relations(@CurrentCaller() caller: Caller): Answer<RelationDescription[]> {
    return { data: this.descriptions.relations(caller) };
  }

  @Get('relations/:collection')
  @RequirePermission('read')
  relationsOf(
    @CurrentCaller() caller: Caller,
    @Param('collection') collection: string,
  ): Answer<RelationDescription[]> {
    return { data: this.descriptions.relationsOf(caller, collection) };
  }

  @Get('relations/:collection/:field')
  @RequirePermission('read')
  relation(
    @CurrentCaller() caller: Caller,
    @Param('collection') collection: string,
    @Param('field') field: string,
  ): Answer<RelationDescription> {
    return { data: this.descriptions.relation(caller, collection, field) };
  }
}
