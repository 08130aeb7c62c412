import type { CollectionHooks, Key, Payload, WriteContext } from '../repository';
import { HooksOf } from '../collections';
import { isNetwork } from '../common/networks';
import { InvalidPayload } from '../common/errors';
import { Policy } from './policy.entity';

const AT_ONCE = 10_000;

const DETACH = `
  DELETE FROM service_access WHERE id IN (
    SELECT id FROM service_access WHERE policy = ANY($1::uuid[]) ORDER BY id LIMIT ${AT_ONCE} FOR UPDATE
  ) RETURNING 1`;

/** Refuses an address list with a word that is not a network: such a policy would apply to nobody. */
@HooksOf(Policy)
export class PolicyHooks implements CollectionHooks {
  beforeCreate(payload: Payload): Payload {
    return checkNetworks(payload);
  }

  beforeUpdate(payload: Payload): Payload {
    return checkNetworks(payload);
  }

  /** Does what ON DELETE would do, but in several statements, each of which ends before the statement timeout. */
  async beforeCascade(keys: readonly Key[], { tx }: WriteContext): Promise<void> {
    let detached = AT_ONCE;
    while (detached === AT_ONCE) detached = (await tx.query(DETACH, [keys])).length;
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
