import type { CollectionHooks, Key, Payload, WriteContext } from '../repository';
import { HooksOf } from '../collections';
import { isNetwork } from '../common/networks';
import { InvalidPayload } from '../common/errors';
import { Policy } from './policy.entity';

const BATCH_SIZE = 10_000;

const DETACH = `
  DELETE FROM service_access WHERE id IN (
    SELECT id FROM service_access WHERE policy = ANY($1::uuid[]) ORDER BY id LIMIT ${BATCH_SIZE} FOR UPDATE
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
    let detached = BATCH_SIZE;
    while (detached === BATCH_SIZE) detached = (await tx.query(DETACH, [keys])).length;
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
