import { HooksOf } from '../collections';
import { InvalidPayload } from '../common/errors';
import type { CollectionHooks, Key, Payload } from '../repository';
import { likeReferenceIn } from './references';

/** No rule holds a text that is one thing in the database and another in a file. */
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
    const reason = `"${found.text}" means a reference in a file: name the role or policy by its id`;
    throw new InvalidPayload({ field: found.path.join('.'), reason });
  }
  return payload;
}
