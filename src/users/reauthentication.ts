import type { Queries } from '../database';
import type { Caller } from '../engine';
import { Nullable, Text } from '../common/request/read-input';

/** What people send with a change of their own account, to show that it is not just somebody with their session. */
export class ReauthenticationInput {
  @Nullable()
  @Text()
  readonly current_password?: string | null;

  /** A one-time password, or a recovery code. */
  @Nullable()
  @Text()
  readonly otp?: string | null;
}

/** Checks it: re-authentication. The sign-in module provides the implementation. */
export abstract class Reauthentication {
  /**
   * Not within a transaction: it waits for other connections.
   * @throws InvalidPayload that names what is missing or wrong; RequestsExceeded after too many wrong ones
   */
  abstract check(caller: Caller, credentials: ReauthenticationInput): Promise<void>;

  /**
   * Makes sure, within the transaction of what it was asked for, that the caller has not been signed out since, as by a
   * new password, and is not before its end. The user's row is locked by then.
   * @throws InvalidCredentials
   */
  abstract lockSession(caller: Caller, tx: Queries): Promise<void>;
}
