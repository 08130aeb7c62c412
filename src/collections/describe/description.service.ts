import { Injectable } from '@nestjs/common';
import type { Caller } from '../../engine';
import { Forbidden } from '../../common/errors';
import { CollectionRegistry } from '../../repository/registry/registry';
import {
  type CollectionDescription,
  describeCollections,
  describeFields,
  type FieldDescription,
} from './description';

/** Describes collections to a caller. What they may not see and what does not exist are refused in the same words. */
@Injectable()
export class DescriptionService {
  constructor(private readonly registry: CollectionRegistry) {}

  collections(caller: Caller): CollectionDescription[] {
    return describeCollections(caller, this.registry);
  }

  collection(caller: Caller, name: string): CollectionDescription {
    return found(this.collections(caller).find(({ collection }) => collection === name));
  }

  fields(caller: Caller): FieldDescription[] {
    return describeFields(caller, this.registry);
  }

  fieldsOf(caller: Caller, name: string): FieldDescription[] {
    const fields = this.fields(caller).filter(({ collection }) => collection === name);
    return found(fields.length > 0 ? fields : undefined);
  }

  field(caller: Caller, collection: string, name: string): FieldDescription {
    return found(this.fieldsOf(caller, collection).find(({ field }) => field === name));
  }
}

function found<T>(description: T | undefined): T {
  if (description === undefined) throw new Forbidden({});
  return description;
}
