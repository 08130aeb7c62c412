import { HooksOf } from '../collections';
import { InvalidPayload } from '../common/errors';
import type { CollectionHooks, Key, Payload } from '../repository';
import { likeReferenceIn } from './references';

/** Refuses texts in rules that a file would read as a reference: exported, they would change their meaning. */
@HooksOf('service_permissions')
export class LikeReferenceHooks implements CollectionHooks {
  beforeCreate(payload: Payload): Payload {
    return refuseLikeReference(payload);
  }

  beforeUpdate(payload: Payload, _: readonly Key[]): Payload {
    return refuseLikeReference(payload);
  }
}

function refuseLikeReference(payload: Payload): Payload {
  const found = likeReferenceIn(payload);
  if (found) {
    const reason = `holds "${found.text}", which means a reference in a file: name the role or policy by its id`;
    throw new InvalidPayload({ field: found.path.join('.'), reason });
  }
  return payload;
}
