import { Injectable } from '@nestjs/common';
import { Forbidden, InvalidPayload } from '../../common/errors';
import { Database, type Queries } from '../../database';
import type { Caller } from '../../engine';
import { Throttle } from '../../throttle';
import { proofMissing, Reauthentication, Passwords, type ReauthenticationInput } from '../../users';
import { lockActiveSession } from '../sessions/lock-active-session';
import { TwoFactor } from './two-factor';
import { ACCOUNT, IS_RECENT } from './two-factor-sql';

/** What a user proves their identity with. */
interface ReauthenticatedAccount {
  readonly email: string | null;
  readonly provider: string;
  /** The hash; null where a provider signs them in. */
  readonly password: string | null;
  readonly two_factor: boolean;
}

/** The last successful check of a caller. */
interface Proof {
  /** What they proved themselves with. */
  readonly field: string;
  /** The hash of their password at that time: a password that is replaced afterwards ends what any proof allows. */
  readonly hash: string | null;
}

const CURRENT_PASSWORD = 'current_password';

const wrong = (field: string): Error => new InvalidPayload({ field, reason: 'is wrong' });

/** Checks that a caller is the user themselves, and not someone with their session. */
@Injectable()
export class AccountReauthentication extends Reauthentication {
  private readonly proofs = new WeakMap<Caller, Proof>();

  constructor(
    private readonly database: Database,
    private readonly passwords: Passwords,
    private readonly twoFactor: TwoFactor,
    private readonly throttle: Throttle,
  ) {
    super();
  }

  async check(caller: Caller, credentials: ReauthenticationInput): Promise<void> {
    const user = personOf(caller);
    this.proofs.delete(caller);
    const account = await this.accountOf(user);
    if (account.provider === 'default') {
      this.proofs.set(caller, await this.checkCredentials(caller, account, credentials));
    } else {
      await this.checkSession(caller, user);
      this.proofs.set(caller, { field: CURRENT_PASSWORD, hash: account.password });
    }
  }

  async confirm(caller: Caller, tx: Queries): Promise<void> {
    const { user, identity } = caller;
    await lockActiveSession(tx, identity.session, user);
    const proof = this.proofs.get(caller);
    if (!proof) throw proofMissing();
    const [account] = await tx.query<ReauthenticatedAccount>(ACCOUNT, [user]);
    if (account?.password !== proof.hash) throw wrong(proof.field);
  }

  /**
   * @param field the name that the password was sent under
   * @throws InvalidPayload, RequestsExceeded
   */
  async checkPassword(
    caller: Caller,
    password: string,
    field: string,
  ): Promise<ReauthenticatedAccount> {
    const user = personOf(caller);
    return this.throttle.attemptCode(user, async () => {
      const account = await this.accountOf(user);
      if (!(await this.passwords.matches(password, account.password, user))) throw wrong(field);
      return account;
    });
  }

  /**
   * If both are given, both must be right.
   * @param account as it was before
   */
  private async checkCredentials(
    caller: Caller,
    account: ReauthenticatedAccount,
    credentials: ReauthenticationInput,
  ): Promise<Proof> {
    // A form sends null for what was not filled in.
    const password = credentials.current_password ?? undefined;
    const otp = credentials.otp ?? undefined;
    if (password === undefined && otp === undefined) throw proofMissing();
    let proof: Proof = { field: 'otp', hash: account.password };
    if (password !== undefined) {
      const matched = await this.checkPassword(caller, password, CURRENT_PASSWORD);
      proof = { field: CURRENT_PASSWORD, hash: matched.password };
    }
    if (otp !== undefined) await this.checkCode(personOf(caller), otp);
    return proof;
  }

  private checkCode(user: string, otp: string): Promise<void> {
    return this.throttle.attemptCode(user, async () => {
      if (!(await this.twoFactor.check(user, otp))) throw wrong('otp');
    });
  }

  /** A user of a provider has no password here, so a recent sign-in is required. */
  private async checkSession({ identity }: Caller, user: string): Promise<void> {
    const recent = await this.database.query(IS_RECENT, [identity.session, user]);
    if (recent.length > 0) return;
    const reason = 'is missing: sign in with your provider again and change it within five minutes';
    throw new InvalidPayload({ field: CURRENT_PASSWORD, reason });
  }

  private async accountOf(user: string): Promise<ReauthenticatedAccount> {
    const [account] = await this.database.query<ReauthenticatedAccount>(ACCOUNT, [user]);
    if (!account) throw new Forbidden({});
    return account;
  }
}

/** A caller with a static token is a program which cannot be asked again. */
function personOf({ user, identity }: Caller): string {
  if (user === null || identity.staticToken !== null) throw new Forbidden({});
  return user;
}
