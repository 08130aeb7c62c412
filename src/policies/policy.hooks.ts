import type { CollectionHooks, Payload } from '../repository';
import { HooksOf } from '../collections';
import { isNetwork } from '../common/networks';
import { InvalidPayload } from '../common/errors';
import { Policy } from './policy.entity';

/** An address list that holds a word that is no network would shut out everybody. */
@HooksOf(Policy)
export class PolicyHooks implements CollectionHooks {
  beforeCreate(payload: Payload): Payload {
    return checkNetworks(payload);
  }

  beforeUpdate(payload: Payload): Payload {
    return checkNetworks(payload);
  }
}

function checkNetworks(payload: Payload): Payload {
  if (!Object.hasOwn(payload, 'ip_access')) return payload;
  const networks = payload['ip_access'] ?? [];
  if (
    !Array.isArray(networks) ||
    !networks.every((each) => typeof each === 'string' && isNetwork(each))
  ) {
    throw new InvalidPayload({
      field: 'ip_access',
      reason: 'must be a list of addresses and networks (CIDR)',
    });
  }
  return { ...payload, ip_access: networks };
}
