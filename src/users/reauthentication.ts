import { InvalidPayload } from '../common/errors';
import type { Queries } from '../database';
import type { Caller } from '../engine';
import type { JsonSchema } from '../common/request/describe.decorator';
import { orNull, TEXT } from '../common/request/json-schema';
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

const proof = (description: string): JsonSchema => ({
  ...orNull({ ...TEXT, minLength: 1 }),
  description,
});

/** The same as properties of a body that has others too. */
export const REAUTHENTICATION: Readonly<Record<string, JsonSchema>> = {
  current_password: proof('For one’s own e-mail or password: the one so far.'),
  otp: proof('The same by a one-time password or a recovery code.'),
};

export const proofMissing = (): Error =>
  new InvalidPayload({ field: 'current_password', reason: 'or "otp" is missing' });

/** Checks these credentials. The sign-in module provides the implementation. */
export abstract class Reauthentication {
  /**
   * Not within a transaction: it waits for other connections.
   * @throws InvalidPayload that names what is missing or wrong; RequestsExceeded after too many wrong ones
   */
  abstract check(caller: Caller, credentials: ReauthenticationInput): Promise<void>;

  /**
   * Call this in the transaction in which the checked change is made, once the user's row is locked: their password must
   * still be the one of the check, even where a one-time password was checked, and the session, which another password
   * may have ended since, is locked until the end.
   * @throws InvalidPayload where the password has changed since the check; InvalidCredentials where the session has ended
   */
  abstract confirm(caller: Caller, tx: Queries): Promise<void>;
}
