import { Injectable } from '@nestjs/common';
import { actorOf } from '../../activity';
import { Collections } from '../../collections';
import { Forbidden, InvalidPayload } from '../../common/errors';
import { Database, type Tx } from '../../database';
import type { Caller } from '../../engine';
import { Throttle } from '../../throttle';
import { type SignedInActor, TwoFactor } from './two-factor';
import type { DisableTfaInput } from './two-factor.inputs';

/** Switches two-factor authentication off: the caller's own with a code, another's by an administrator. */
@Injectable()
export class TwoFactorRemoval {
  constructor(
    private readonly database: Database,
    private readonly collections: Collections,
    private readonly twoFactor: TwoFactor,
    private readonly throttle: Throttle,
  ) {}

  /** @throws InvalidPayload, RequestsExceeded */
  async disable(caller: Caller, { otp }: DisableTfaInput): Promise<void> {
    const { user } = caller;
    if (user === null) throw new Forbidden({});
    // Before the code is counted: what is refused of the request itself is no guess.
    const actor = { ...actorOf(caller), user };
    await this.throttle.attemptCode(user, () =>
      this.database.retriedTransaction((tx) => this.disableIn(tx, actor, otp)),
    );
  }

  /** By an ordinary update, so that rules and hooks decide who may do it. */
  async disableFor(caller: Caller, user: string): Promise<void> {
    const users = this.collections.service('service_users');
    await users.updateOne(caller, user, { tfa_secret: null }, {});
  }

  private async disableIn(tx: Tx, actor: SignedInActor, otp: string): Promise<void> {
    if (!(await this.twoFactor.verify(tx, actor.user, otp))) {
      throw new InvalidPayload({ field: 'otp', reason: 'is wrong' });
    }
    await this.twoFactor.end(tx, actor);
  }
}
