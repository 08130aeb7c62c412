import { Injectable } from '@nestjs/common';
import { Database } from '../database';
import { InvalidCredentials, InvalidOtp } from '../common/errors';
import { networkOf } from '../common/networks';
import { Throttle } from '../throttle';
import { TwoFactor } from './two-factor/two-factor';
import type { Client } from './client';
import { FailedSignIns } from './failed-sign-ins';
import type { LoginInput } from './auth.inputs';
import { foldedEmail, Passwords } from '../users';

/** A user whose password has been proven. */
export interface Account {
  readonly user: string;
  /** The hash that the password matched: no session begins once it has been changed. */
  readonly password: string;
  /** The new hash of the password, where the stored one has a lower cost than new hashes. */
  readonly renewed: string | null;
  /**
   * For a password that is rehashed: a simultaneous sign-in may have done the same.
   * @returns the hash that the password matches now
   * @throws InvalidCredentials
   */
  readonly matchAgain?: () => Promise<string>;
  /** Whether a one-time password was checked as well: users who need one get no session without it. */
  readonly secondFactor: boolean;
}

interface UserRow {
  readonly id: string;
  readonly password: string | null;
  readonly two_factor: boolean;
}

type MatchedRow = UserRow & { readonly password: string };

const hasPassword = (row: UserRow): row is MatchedRow => row.password !== null;

const SELECT = `
  SELECT id, CASE WHEN status = 'active' AND provider = 'default' THEN password END AS password,
    tfa_secret IS NOT NULL AS two_factor
  FROM service_users`;
const BY_EMAIL = `${SELECT} WHERE ${foldedEmail('email')} = ${foldedEmail('$1::text')}`;
const BY_ID = `${SELECT} WHERE id = $1::uuid`;

@Injectable()
export class Accounts {
  constructor(
    private readonly database: Database,
    private readonly passwords: Passwords,
    private readonly twoFactor: TwoFactor,
    private readonly throttle: Throttle,
    private readonly failures: FailedSignIns,
  ) {}

  /**
   * Takes equally long for an unknown address, for a user who may not sign in, and for a wrong password. Only a caller
   * who knows the password learns whether a one-time password is required.
   * @throws InvalidCredentials, InvalidOtp, RequestsExceeded
   */
  async verifyCredentials(input: LoginInput, client: Client): Promise<Account> {
    const [found] = await this.database.query<UserRow>(BY_EMAIL, [input.email]);
    try {
      return await this.check(found, input, networkOf(client.ip));
    } catch (error) {
      if (isFailure(error, input)) await this.failures.record(found?.id, client);
      throw error;
    }
  }

  private async check(
    found: UserRow | undefined,
    { password, otp }: LoginInput,
    network: string,
  ): Promise<Account> {
    const {
      id: user,
      two_factor: secondFactor,
      password: stored,
    } = await this.match(found, password, network);
    if (secondFactor) await this.proveOtp(user, otp);
    const account = { user, password: stored, secondFactor };
    if (!this.passwords.isOutdated(stored)) return { ...account, renewed: null };
    const renewed = await this.passwords.hash(password, network);
    const matchAgain = async (): Promise<string> => {
      const [now] = await this.database.query<UserRow>(BY_ID, [user]);
      return (await this.match(now, password, network)).password;
    };
    return { ...account, renewed, matchAgain };
  }

  /** @throws InvalidCredentials, after the same time as for a wrong password where the user may not sign in */
  private async match(
    found: UserRow | undefined,
    password: string,
    network: string,
  ): Promise<MatchedRow> {
    const matches = await this.passwords.matches(password, found?.password ?? null, network);
    if (!matches || !found || !hasPassword(found)) throw new InvalidCredentials({});
    return found;
  }

  private async proveOtp(user: string, otp: string | undefined): Promise<void> {
    if (otp === undefined) throw new InvalidOtp({});
    await this.throttle.attemptCode(user, async () => {
      if (!(await this.twoFactor.check(user, otp))) throw new InvalidOtp({});
    });
  }
}

/** A request for the one-time password is not a failure. */
const isFailure = (error: unknown, { otp }: LoginInput): boolean =>
  error instanceof InvalidCredentials || (error instanceof InvalidOtp && otp !== undefined);
