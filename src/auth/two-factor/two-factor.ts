import { Injectable, Logger } from '@nestjs/common';
import { type Actor, ActivityLog } from '../../activity';
import { Database, type Queries } from '../../database';
import { CannotOpen, Sealer } from '../../secrets';
import { acceptedStep } from './one-time-passwords';
import { newRecoveryCodes, recoveryDigest } from './recovery-codes';
import {
  ACCEPT_STEP,
  BEGIN_STATE,
  FORGET,
  KEEP_CODES,
  LOCK,
  SET_SECRET,
  STATE,
} from './two-factor-sql';

/** The purposes of the sealed values: each has a key of its own. */
export const SECRET_PURPOSE = 'two-factor secret';
export const CODES_PURPOSE = 'recovery codes';

/** A signed-in user. */
export type SignedInActor = Actor & { readonly user: string };

const fields = ['tfa_secret'];

interface UserRow {
  readonly tfa_secret: string | null;
}

interface StateRow {
  readonly last_step: number;
  readonly recovery_codes: string | null;
}

/** The second factor of users: one-time passwords (RFC 6238) and recovery codes, each accepted once. */
@Injectable()
export class TwoFactor {
  private readonly logger = new Logger(TwoFactor.name);

  constructor(
    private readonly database: Database,
    private readonly sealer: Sealer,
    private readonly activity: ActivityLog,
  ) {}

  /** `verify` in a transaction of its own. */
  check(user: string, code: string): Promise<boolean> {
    return this.database.retriedTransaction((tx) => this.verify(tx, user, code));
  }

  /**
   * Accepts a code at most once, even if it is sent several times at once.
   * @param tx a transaction: the code counts as used once it is committed
   * @param code a one-time password or a recovery code
   * @returns false for a wrong or used code, and where the user has no second factor
   */
  async verify(tx: Queries, user: string, code: string): Promise<boolean> {
    const [row] = await tx.query<UserRow>(LOCK, [user]);
    const secret = row?.tfa_secret ?? null;
    if (secret === null) return false;
    const [state] = await tx.query<StateRow>(STATE, [user]);
    const digest = recoveryDigest(code);
    if (digest !== undefined) return this.spend(tx, user, digest, state?.recovery_codes ?? null);
    const plain = this.open(secret, SECRET_PURPOSE, user);
    const step = plain === undefined ? undefined : acceptedStep(plain, code, state?.last_step ?? 0);
    if (step === undefined) return false;
    return (await tx.query(ACCEPT_STEP, [user, step])).length > 0;
  }

  /**
   * For the caller's own user.
   * @param step that of the code which proved that the app has the secret
   * @returns ten recovery codes, which are shown only this once
   */
  async begin(tx: Queries, actor: SignedInActor, secret: string, step: number): Promise<string[]> {
    const { user } = actor;
    const codes = newRecoveryCodes();
    await tx.query(SET_SECRET, [user, this.sealer.seal(secret, SECRET_PURPOSE, user)]);
    await tx.query(BEGIN_STATE, [user, step, this.sealCodes(user, codes.map(digestOf))]);
    await this.activity.record(tx, { action: 'tfa_enabled', account: user, fields }, actor);
    return codes;
  }

  async end(tx: Queries, actor: SignedInActor): Promise<void> {
    const { user } = actor;
    await tx.query(SET_SECRET, [user, null]);
    await tx.query(FORGET, [[user]]);
    await this.activity.record(tx, { action: 'tfa_disabled', account: user, fields }, actor);
  }

  private async spend(
    tx: Queries,
    user: string,
    digest: string,
    sealed: string | null,
  ): Promise<boolean> {
    const opened = sealed === null ? undefined : this.open(sealed, CODES_PURPOSE, user);
    const left = opened === undefined ? [] : (JSON.parse(opened) as string[]);
    if (!left.includes(digest)) return false;
    const others = left.filter((each) => each !== digest);
    await tx.query(KEEP_CODES, [user, this.sealCodes(user, others)]);
    return true;
  }

  private sealCodes(user: string, digests: readonly string[]): string {
    return this.sealer.seal(JSON.stringify(digests), CODES_PURPOSE, user);
  }

  /** A value that was altered in the database proves nothing. */
  private open(sealed: string, purpose: string, user: string): string | undefined {
    try {
      return this.sealer.open(sealed, purpose, user);
    } catch (error) {
      if (!(error instanceof CannotOpen)) throw error;
      this.logger.warn(`The ${purpose} of user ${user} cannot be opened: ${error.message}`);
      return undefined;
    }
  }
}

function digestOf(code: string): string {
  const digest = recoveryDigest(code);
  if (digest === undefined) throw new Error('A recovery code of ours has another form');
  return digest;
}
