import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { checkNewPassword } from '../auth';
import { InvalidToken } from '../common/errors';
import { networkOf } from '../common/networks';
import { addressOf } from '../common/request/address';
import { OneTimeTokens } from '../one-time-tokens';
import { PasswordRules, Passwords } from '../users';
import { isInvited } from './account-row';
import { Activation } from './activation';
import { PURPOSE } from './invitation-mails';
import type { AcceptInput } from './registration.inputs';

/** Accepts an invitation by its token. */
@Injectable()
export class AcceptanceService {
  constructor(
    private readonly tokens: OneTimeTokens,
    private readonly rules: PasswordRules,
    private readonly passwords: Passwords,
    private readonly activation: Activation,
  ) {}

  /**
   * Sets the password and makes the user active. A password that is refused leaves the token valid.
   * @throws InvalidPayload for a weak password
   * @throws InvalidToken where the token is invalid, used or expired, or its user is no longer invited
   */
  async accept({ token, password: chosen }: AcceptInput, request: Request): Promise<void> {
    await checkNewPassword(this.rules, chosen);
    const user = await this.tokens.find(PURPOSE, token);
    // Before the transaction, so that no lock is held while the hash is computed.
    const password = await this.passwords.hash(chosen, networkOf(addressOf(request)));
    await this.activation.activate({ user, purpose: PURPOSE, request }, async (tx, row) => {
      if (!isInvited(row)) throw new InvalidToken({});
      await this.tokens.redeem(tx, { purpose: PURPOSE, user, bound: row.email }, token);
      return { password };
    });
  }
}
