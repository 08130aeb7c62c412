import { Injectable } from '@nestjs/common';
import { actorOf } from '../../activity';
import { Forbidden, InvalidPayload } from '../../common/errors';
import { Database, type Tx } from '../../database';
import type { Caller } from '../../engine';
import { Throttle } from '../../throttle';
import { AccountReauthentication } from './account-reauthentication';
import { acceptedStep, type NewSecret } from './one-time-passwords';
import { type SignedInActor, TwoFactor } from './two-factor';
import { type Offered, TwoFactorOffers } from './two-factor-offers';
import type { EnableTfaInput, GenerateTfaInput } from './two-factor.inputs';
import { LOCK } from './two-factor-sql';

export interface RecoveryCodes {
  /** Ten, shown only this once. */
  readonly recovery_codes: readonly string[];
}

/** Sets up two-factor authentication: the user gets a secret, and proves that their app has it. */
@Injectable()
export class TwoFactorSetup {
  constructor(
    private readonly database: Database,
    private readonly reauthentication: AccountReauthentication,
    private readonly offers: TwoFactorOffers,
    private readonly twoFactor: TwoFactor,
    private readonly throttle: Throttle,
  ) {}

  /** @throws InvalidPayload, RequestsExceeded */
  async generate(caller: Caller, { password }: GenerateTfaInput): Promise<NewSecret> {
    const offered = offeredTo(caller);
    const account = await this.reauthentication.checkPassword(caller, password, 'password');
    if (account.two_factor) throw isOn();
    return this.offers.make(offered, account.email ?? offered.user);
  }

  /** @throws InvalidPayload, RequestsExceeded */
  async enable(caller: Caller, input: EnableTfaInput): Promise<RecoveryCodes> {
    const offered = offeredTo(caller);
    // Before the code is counted: what is refused of the request itself is no guess.
    const actor = { ...actorOf(caller), user: offered.user };
    const recovery_codes = await this.throttle.attemptCode(offered.user, () =>
      this.database.retriedTransaction((tx) => this.enableIn(tx, offered, actor, input)),
    );
    return { recovery_codes };
  }

  private async enableIn(
    tx: Tx,
    offered: Offered,
    actor: SignedInActor,
    { secret, otp }: EnableTfaInput,
  ): Promise<string[]> {
    const [user] = await tx.query<{ tfa_secret: string | null }>(LOCK, [offered.user]);
    if (!user) throw new Forbidden({});
    if (user.tfa_secret !== null) throw isOn();
    if (!(await this.offers.holds(tx, offered, secret))) {
      const reason = 'was not generated in this session within the last ten minutes';
      throw new InvalidPayload({ field: 'secret', reason });
    }
    const step = acceptedStep(secret, otp, 0);
    if (step === undefined) throw new InvalidPayload({ field: 'otp', reason: 'is wrong' });
    await this.offers.take(tx, offered);
    return this.twoFactor.begin(tx, actor, secret, step);
  }
}

const isOn = (): Error => new InvalidPayload({ reason: 'two-factor authentication is already on' });

/** It is set up in a session; a static token is not accepted. */
function offeredTo({ identity: { user, session } }: Caller): Offered {
  if (user === null || session === null) throw new Forbidden({});
  return { user, session };
}
