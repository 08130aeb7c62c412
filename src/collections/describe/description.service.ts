import { Injectable } from '@nestjs/common';
import type { Who } from '../../engine';
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

  collections(who: Who): CollectionDescription[] {
    return describeCollections(who, this.registry);
  }

  collection(who: Who, name: string): CollectionDescription {
    return found(this.collections(who).find(({ collection }) => collection === name));
  }

  fields(who: Who): FieldDescription[] {
    return describeFields(who, this.registry);
  }

  fieldsOf(who: Who, name: string): FieldDescription[] {
    const fields = this.fields(who).filter(({ collection }) => collection === name);
    return found(fields.length > 0 ? fields : undefined);
  }

  field(who: Who, collection: string, name: string): FieldDescription {
    return found(this.fieldsOf(who, collection).find(({ field }) => field === name));
  }
}

function found<T>(description: T | undefined): T {
  if (description === undefined) throw new Forbidden({});
  return description;
}
