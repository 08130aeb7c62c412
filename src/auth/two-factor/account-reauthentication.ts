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

const CURRENT_PASSWORD = 'current_password';

const wrong = (field: string): Error => new InvalidPayload({ field, reason: 'is wrong' });

/** Checks that a caller is the user themselves, and not someone with their session. */
@Injectable()
export class AccountReauthentication extends Reauthentication {
  /** The hash that a caller's `current_password` matched at their last check. */
  private readonly matched = new WeakMap<Caller, string | null>();

  constructor(
    private readonly database: Database,
    private readonly passwords: Passwords,
    private readonly twoFactor: TwoFactor,
    private readonly throttle: Throttle,
  ) {
    super();
  }

  /** If both are given, both must be right. */
  async check(caller: Caller, credentials: ReauthenticationInput): Promise<void> {
    // A form sends null for what was not filled in.
    const password = credentials.current_password ?? undefined;
    const otp = credentials.otp ?? undefined;
    const user = personOf(caller);
    this.matched.delete(caller);
    const account = await this.accountOf(user);
    if (account.provider !== 'default') return this.checkSession(caller, user);
    if (password === undefined && otp === undefined) throw proofMissing();
    if (password !== undefined) {
      const { password: hash } = await this.checkPassword(caller, password, CURRENT_PASSWORD);
      this.matched.set(caller, hash);
    }
    if (otp === undefined) return;
    await this.throttle.attemptCode(user, async () => {
      if (!(await this.twoFactor.check(user, otp))) throw wrong('otp');
    });
  }

  async confirm(caller: Caller, tx: Queries): Promise<void> {
    const { user, identity } = caller;
    await lockActiveSession(tx, identity.session, user);
    const hash = this.matched.get(caller);
    if (hash === undefined) return;
    const [account] = await tx.query<ReauthenticatedAccount>(ACCOUNT, [user]);
    if (account?.password !== hash) throw wrong(CURRENT_PASSWORD);
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
      if (!(await this.passwords.matches(password, account.password))) throw wrong(field);
      return account;
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
