import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { ActivityLog, actorOfRequest } from '../../activity';
import { InvalidToken } from '../../common/errors';
import { networkOf } from '../../common/networks';
import { addressOf } from '../../common/request/address';
import { Database, type Tx } from '../../database';
import { OneTimeTokens } from '../../one-time-tokens';
import { PasswordRules, Passwords } from '../../users';
import { END_ALL } from '../sessions/session-sql';
import { END_TOKENS } from '../static-tokens/static-token-sql';
import { checkNewPassword } from './check-new-password';
import type { PasswordResetInput } from './password-reset.inputs';
import { resetBinding, BY_ID, type Resettable, SET_PASSWORD } from './password-reset-sql';

const PURPOSE = 'password-reset';

/** Replaces a user's password by means of the mailed token. */
@Injectable()
export class PasswordResets {
  constructor(
    private readonly database: Database,
    private readonly tokens: OneTimeTokens,
    private readonly passwords: Passwords,
    private readonly rules: PasswordRules,
    private readonly activity: ActivityLog,
  ) {}

  /**
   * Ends every session and static token of the user. A password that is refused leaves the token valid.
   * @throws InvalidPayload for a weak password
   * @throws InvalidToken where the token is invalid, used or expired, or its user may not sign in with a password
   */
  async reset({ token, password }: PasswordResetInput, request: Request): Promise<void> {
    await checkNewPassword(this.rules, password);
    const user = await this.tokens.find(PURPOSE, token);
    // Before the transaction, so that no lock is held while the hash is computed.
    const hash = await this.passwords.hash(password, networkOf(addressOf(request)));
    await this.database.retriedTransaction(async (tx) => {
      await this.replace(tx, user, token, hash);
      const entry = { action: 'password_reset', account: user, fields: ['password'] } as const;
      await this.activity.record(tx, entry, actorOfRequest(request, user));
    });
  }

  private async replace(tx: Tx, user: string, token: string, hash: string): Promise<void> {
    const [row] = await tx.query<Resettable>(BY_ID, [user]);
    if (!row) throw new InvalidToken({});
    await this.tokens.redeem(tx, { purpose: PURPOSE, user, bound: resetBinding(row) }, token);
    await tx.query(SET_PASSWORD, [user, hash]);
    await this.tokens.revoke(tx, PURPOSE, user);
    await tx.query(END_ALL, [[user]]);
    await tx.query(END_TOKENS, [[user]]);
  }
}
