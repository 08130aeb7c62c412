import type { Queries } from '../database';
import { foldedEmail } from './folded-email';

const DISPLACE = `
  DELETE FROM service_users
  WHERE ${foldedEmail('email')} = ${foldedEmail('$1::text')} AND status = 'unverified' AND provider = 'default'
  RETURNING id`;

/**
 * Deletes what somebody registered with an address and never confirmed, with all its links: it makes way for whoever is
 * known to own the address.
 * @returns the ids of the deleted users, for the log
 */
export async function displaceUnverified(tx: Queries, email: unknown): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(DISPLACE, [email]);
  return rows.map(({ id }) => id);
}
