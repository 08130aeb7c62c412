import { Injectable } from '@nestjs/common';
import { Database } from '../database';
import { InvalidCredentials, InvalidOtp } from '../common/errors';
import { foldedEmail, Passwords } from '../users';

/** Somebody who has shown that they know the password of a user. */
export interface Account {
  readonly user: string;
  /** The hash that the password met: no session begins once it has been changed. */
  readonly password: string;
  /** The password hashed anew, where the stored hash is cheaper than hashes are made now. */
  readonly renewed: string | null;
}

interface UserRow {
  readonly id: string;
  readonly password: string | null;
  readonly tfa_secret: string | null;
}

const BY_EMAIL = `
  SELECT id, CASE WHEN status = 'active' AND provider = 'default' THEN password END AS password, tfa_secret
  FROM service_users WHERE ${foldedEmail('email')} = ${foldedEmail('$1::text')}`;

@Injectable()
export class Accounts {
  constructor(
    private readonly database: Database,
    private readonly passwords: Passwords,
  ) {}

  /**
   * Takes as long for an address that nobody has, or whose user may not sign in, as for a wrong password.
   * @throws InvalidCredentials, InvalidOtp
   */
  async prove(email: string, password: string): Promise<Account> {
    const [found] = await this.database.query<UserRow>(BY_EMAIL, [email]);
    const stored = found?.password ?? null;
    const matches = await this.passwords.matches(password, stored);
    if (!matches || !found || stored === null) throw new InvalidCredentials({});
    // Nothing here knows one-time passwords yet: who is to give one does not get in without.
    if (found.tfa_secret !== null) throw new InvalidOtp({});
    const renewed = this.passwords.isOutdated(stored) ? await this.passwords.hash(password) : null;
    return { user: found.id, password: stored, renewed };
  }
}
