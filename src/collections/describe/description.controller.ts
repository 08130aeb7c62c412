import { Controller, Get, Param } from '@nestjs/common';
import type { Caller } from '../../engine';
import { RequirePermission } from '../../common/request/access.decorators';
import { Describe } from '../../common/request/describe.decorator';
import { FLAG, listOf, OBJECT, objectOf, orNull, TEXT } from '../../common/request/json-schema';
import { CurrentCaller } from '../../common/request/transport';
import type { Answer } from '../answer';
import type { CollectionDescription } from './collection-description';
import { DescriptionService } from './description.service';
import type { FieldDescription } from './field-description';
import type { RelationDescription } from './relation-description';

const COLLECTION = objectOf({
  collection: TEXT,
  key: TEXT,
  meta: objectOf({ singleton: FLAG }),
  schema: objectOf({ name: TEXT }),
});
const FIELD = objectOf({
  collection: TEXT,
  field: TEXT,
  type: TEXT,
  schema: orNull(OBJECT),
  meta: objectOf({ required: FLAG, readonly: FLAG }),
});
const RELATION = objectOf({
  collection: TEXT,
  field: TEXT,
  related_collection: TEXT,
  schema: orNull(OBJECT),
  meta: OBJECT,
});

/** Clients ask for `limit=-1`: a list is always whole. */
const WHOLE = { limit: { type: 'integer', description: 'Ignored: the list is always complete.' } };

/** Describes collections, fields and relations, as far as the caller may see them. */
@Controller()
export class DescriptionController {
  constructor(private readonly descriptions: DescriptionService) {}

  @Get('collections')
  @Describe('List the collections that one may read', { answer: listOf(COLLECTION), query: WHOLE })
  @RequirePermission('read', '*')
  collections(@CurrentCaller() caller: Caller): Answer<CollectionDescription[]> {
    return { data: this.descriptions.collections(caller) };
  }

  @Get('collections/:collection')
  @Describe('Describe a collection', { answer: COLLECTION })
  @RequirePermission('read')
  collection(
    @CurrentCaller() caller: Caller,
    @Param('collection') collection: string,
  ): Answer<CollectionDescription> {
    return { data: this.descriptions.collection(caller, collection) };
  }

  @Get('fields')
  @Describe('List the fields that one may read', { answer: listOf(FIELD), query: WHOLE })
  @RequirePermission('read', '*')
  fields(@CurrentCaller() caller: Caller): Answer<FieldDescription[]> {
    return { data: this.descriptions.fields(caller) };
  }

  @Get('fields/:collection')
  @Describe('List the fields of a collection that one may read', { answer: listOf(FIELD) })
  @RequirePermission('read')
  fieldsOf(
    @CurrentCaller() caller: Caller,
    @Param('collection') collection: string,
  ): Answer<FieldDescription[]> {
    return { data: this.descriptions.fieldsOf(caller, collection) };
  }

  @Get('fields/:collection/:field')
  @Describe('Describe a field', { answer: FIELD })
  @RequirePermission('read')
  field(
    @CurrentCaller() caller: Caller,
    @Param('collection') collection: string,
    @Param('field') field: string,
  ): Answer<FieldDescription> {
    return { data: this.descriptions.field(caller, collection, field) };
  }

  @Get('relations')
  @Describe('List the relations between collections that one may read', {
    answer: listOf(RELATION),
    query: WHOLE,
  })
  @RequirePermission('read', '*')
  relations(@CurrentCaller() caller: Caller): Answer<RelationDescription[]> {
    return { data: this.descriptions.relations(caller) };
  }

  @Get('relations/:collection')
  @Describe('List the relations that lead from a collection', { answer: listOf(RELATION) })
  @RequirePermission('read')
  relationsOf(
    @CurrentCaller() caller: Caller,
    @Param('collection') collection: string,
  ): Answer<RelationDescription[]> {
    return { data: this.descriptions.relationsOf(caller, collection) };
  }

  @Get('relations/:collection/:field')
  @Describe('Describe a relation', { answer: RELATION })
  @RequirePermission('read')
  relation(
    @CurrentCaller() caller: Caller,
    @Param('collection') collection: string,
    @Param('field') field: string,
  ): Answer<RelationDescription> {
    return { data: this.descriptions.relation(caller, collection, field) };
  }
}
