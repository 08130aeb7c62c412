import { HooksOf } from '../collections';
import { InvalidPayload } from '../common/errors';
import type { CollectionHooks, Key, Payload } from '../repository';
import { likeReferenceIn, protoIn } from './references';

/**
 * Refuses what no file can hold: texts in rules that it would read as a reference, which would change their meaning, and
 * a name with which a file is refused.
 */
@HooksOf('service_permissions')
export class ExportableRuleHooks implements CollectionHooks {
  beforeCreate(payload: Payload): Payload {
    return refuseUnexportable(payload);
  }

  beforeUpdate(payload: Payload, _: readonly Key[]): Payload {
    return refuseUnexportable(payload);
  }
}

function refuseUnexportable(payload: Payload): Payload {
  const found = likeReferenceIn(payload);
  if (found) {
    const reason = `holds "${found.text}", which a file would read as a reference: use the id of the role or policy`;
    throw new InvalidPayload({ field: found.path.join('.'), reason });
  }
  const { permissions, validation, presets } = payload;
  const field = protoIn({ permissions, validation, presets });
  if (field !== undefined) throw new InvalidPayload({ field, reason: 'is not allowed as a name' });
  return payload;
}
