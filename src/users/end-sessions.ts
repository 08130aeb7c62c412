import type { Key, Queries } from '../collections';

/** A sign-in that has checked the old password waits here, and finds it changed. */
const LOCK = 'SELECT id FROM service_users WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE';
const END = `
  DELETE FROM service_sessions WHERE "user" = ANY($1::uuid[]) AND id IS DISTINCT FROM $2::uuid`;

/**
 * Signs users out everywhere. Access tokens follow: whoever holds the users' sessions in memory hears of the change.
 * @param except the session that stays: of somebody who changes their own password
 */
export async function endSessions(
  tx: Queries,
  users: readonly Key[],
  except: string | null,
): Promise<void> {
  await tx.query(LOCK, [users]);
  await tx.query(END, [users, except]);
}
