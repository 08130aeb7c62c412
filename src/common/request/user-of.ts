import type { Caller } from '../../engine';
import { Forbidden } from '../errors';

/**
 * The id of the user who asks.
 * @throws Forbidden where nobody is signed in
 */
export function userOf({ user }: Caller): string {
  if (user === null) throw new Forbidden({});
  return user;
}
