import type { Queries } from '../database';
import { type CollectionRegistry, isReferredTo } from '../repository';
import { foldedEmail } from './folded-email';

const FIND = `
  SELECT id FROM service_users
  WHERE ${foldedEmail('email')} = ${foldedEmail('$1::text')} AND status = 'unverified' AND provider = 'default'
  FOR UPDATE`;
const DELETE = 'DELETE FROM service_users WHERE id = $1::uuid';

/**
 * A user to whom rows of a team's collections refer is more than a registration: deleting it would delete those rows, or
 * fail.
 */
export function isReferredToByTeams(
  registry: CollectionRegistry,
  user: string,
  queries: Queries,
): Promise<boolean> {
  const users = registry.table('service_users');
  const ofTeams = registry
    .naming(users)
    .filter(({ holder }) => !holder.name.startsWith('service_'));
  return isReferredTo(users, user, ofTeams, queries);
}

/**
 * Deletes the unconfirmed registration of an address, with all its links: it makes way for the person who is known to
 * own the address, unless rows of a team's collections refer to it.
 * @returns the id of the deleted user, for the log; undefined where there is none
 */
export async function displaceUnconfirmed(
  registry: CollectionRegistry,
  email: unknown,
  tx: Queries,
): Promise<string | undefined> {
  const [found] = await tx.query<{ id: string }>(FIND, [email]);
  if (!found || (await isReferredToByTeams(registry, found.id, tx))) return undefined;
  await tx.query(DELETE, [found.id]);
  return found.id;
}
