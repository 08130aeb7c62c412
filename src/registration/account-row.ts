import type { User } from '../users';

/** What is read of a user on another's request. */
export interface AccountRow {
  readonly id: string;
  readonly email: string | null;
  readonly status: User['status'];
  readonly provider: string;
}

type WithAddress = AccountRow & { readonly email: string };

/** Users of external providers are confirmed there, and have no password here. */
const awaits = (user: AccountRow, status: User['status']): user is WithAddress =>
  user.status === status && user.provider === 'default' && user.email !== null;

export const isUnverified = (user: AccountRow): user is WithAddress => awaits(user, 'unverified');

export const isInvited = (user: AccountRow): user is WithAddress => awaits(user, 'invited');
