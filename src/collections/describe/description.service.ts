import { Injectable } from '@nestjs/common';
import type { Caller } from '../../engine';
import { Forbidden } from '../../common/errors';
import { Collections } from '../collections';
import { type CollectionDescription, describeCollection } from './collection-description';
import { type Described, describedCollections } from './described';
import { describeFields, type FieldDescription } from './field-description';
import { describeRelations, type RelationDescription } from './relation-description';

/** Describes collections to a caller. Hidden and missing ones are refused in the same words. */
@Injectable()
export class DescriptionService {
  constructor(private readonly allCollections: Collections) {}

  collections(caller: Caller): CollectionDescription[] {
    return this.described(caller).map(describeCollection);
  }

  collection(caller: Caller, name: string): CollectionDescription {
    return found(this.collections(caller).find(({ collection }) => collection === name));
  }

  fields(caller: Caller): FieldDescription[] {
    const described = this.described(caller);
    const relations = describeRelations(described, this.allCollections.registry);
    return described.flatMap((each) => describeFields(each, relations));
  }

  fieldsOf(caller: Caller, name: string): FieldDescription[] {
    const fields = this.fields(caller).filter(({ collection }) => collection === name);
    return found(fields.length > 0 ? fields : undefined);
  }

  field(caller: Caller, collection: string, name: string): FieldDescription {
    return found(this.fieldsOf(caller, collection).find(({ field }) => field === name));
  }

  relations(caller: Caller): RelationDescription[] {
    return describeRelations(this.described(caller), this.allCollections.registry);
  }

  relationsOf(caller: Caller, name: string): RelationDescription[] {
    this.collection(caller, name);
    return this.relations(caller).filter(({ collection }) => collection === name);
  }

  relation(caller: Caller, collection: string, name: string): RelationDescription {
    return found(this.relationsOf(caller, collection).find(({ field }) => field === name));
  }

  private described(caller: Caller): Described[] {
    return describedCollections(caller, this.allCollections);
  }
}

function found<T>(description: T | undefined): T {
  if (description === undefined) throw new Forbidden({});
  return description;
}
