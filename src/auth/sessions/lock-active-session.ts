import { InvalidCredentials } from '../../common/errors';
import type { Queries } from '../../database';

const LOCK = `
  SELECT id FROM service_sessions
  WHERE id = $1::uuid AND "user" = $2::uuid AND expires_at > now() FOR KEY SHARE`;

/**
 * Ensures, within a transaction, that the requesting session still exists, and locks it until the end: code that ends
 * it waits. The user's row is locked before.
 * @throws InvalidCredentials
 */
export async function lockActiveSession(
  tx: Queries,
  session: string | null,
  user: string | null,
): Promise<void> {
  const locked = await tx.query(LOCK, [session, user]);
  if (locked.length === 0) throw new InvalidCredentials({});
}
