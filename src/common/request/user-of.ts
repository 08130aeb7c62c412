import type { Caller } from '../../engine';
import { Forbidden } from '../errors';

/**
 * The id of the signed-in user.
 * @throws Forbidden without one
 */
export function userOf({ user }: Caller): string {
  if (user === null) throw new Forbidden({});
  return user;
}
