import type { Key, LookUp, Payload, WriteContext } from '../repository';
import { isUuid } from '../engine';
import { Forbidden, InvalidForeignKey, InvalidPayload } from '../common/errors';

/** A policy attached to this role alone, without conditions, that the caller may change. */
const OWN = `
  SELECT policy.id FROM service_policies policy
  JOIN service_access access ON access.policy = policy.id
  WHERE access.role = $1::uuid AND access.expires_at IS NULL
    AND NOT policy.admin_access AND policy.managed IS NULL AND cardinality(policy.ip_access) = 0
    AND (SELECT count(*) FROM service_access every WHERE every.policy = policy.id) = 1
  ORDER BY policy.name, policy.id LIMIT 1`;

const LOCK = 'SELECT 1 FROM service_roles WHERE id = $1::uuid FOR UPDATE';

/**
 * A rule for a role is stored in the role's own policy. If there is none it is created and attached, with the caller's
 * rights.
 */
export async function resolveRole(payload: Payload, context: WriteContext): Promise<Payload> {
  const { role, ...rest } = payload;
  if (role === undefined) return payload;
  if (rest['policy'] !== undefined) {
    throw new InvalidPayload({ field: 'role', reason: 'cannot be combined with "policy"' });
  }
  if (typeof role !== 'string' || !isUuid(role)) {
    throw new InvalidPayload({ field: 'role', reason: 'must be the id of a role' });
  }
  const known = await context.once(noneKnown);
  const policy = known.get(role) ?? (await ownPolicy(role, context));
  known.set(role, policy);
  return { ...rest, policy };
}

/** The policies of roles that are found for one list. */
const noneKnown: LookUp<Map<string, Key>> = () => new Map();

async function ownPolicy(role: string, { tx, caller, read, write }: WriteContext): Promise<Key> {
  if (!caller.may('read', 'service_roles')) throw new Forbidden({});
  // A role that the caller does not see counts as missing; they may see a role but not its name.
  const filter = { id: { _eq: role } };
  const [found] = await read.list('service_roles', { filter, fields: ['*'] });
  if (!found || (await tx.query(LOCK, [role])).length === 0)
    throw new InvalidForeignKey({ collection: 'service_permissions', field: 'role' });
  const [own] = await tx.query<{ id: string }>(OWN, [role]);
  if (own) return own.id;
  const [policy = ''] = await write.create('service_policies', [{ name: found['name'] ?? role }]);
  await write.create('service_access', [{ role, policy }]);
  return policy;
}
