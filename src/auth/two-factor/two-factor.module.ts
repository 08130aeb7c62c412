import { Module } from '@nestjs/common';
import { ActivityModule } from '../../activity';
import { provideSchema } from '../../database';
import { provideSealedColumn } from '../../secrets';
import { SettingsModule } from '../../settings';
import { ThrottleModule } from '../../throttle';
import { Reauthentication, UsersModule } from '../../users';
import { AccountReauthentication } from './account-reauthentication';
import { CODES_PURPOSE, SECRET_PURPOSE, TwoFactor } from './two-factor';
import { TwoFactorController } from './two-factor.controller';
import { TwoFactorOffer, TwoFactorState } from './two-factor.entity';
import { TwoFactorHooks } from './two-factor.hooks';
import { OFFER_PURPOSE, TwoFactorOffers } from './two-factor-offers';
import { TwoFactorRemoval } from './two-factor-removal';
import { TwoFactorResolver } from './two-factor.resolver';
import { TwoFactorSetup } from './two-factor-setup';

/** Two-factor authentication, and the proofs for changes of one's own account. */
@Module({
  imports: [ActivityModule, UsersModule, SettingsModule, ThrottleModule],
  controllers: [TwoFactorController],
  providers: [
    provideSchema({ entities: [TwoFactorState, TwoFactorOffer] }),
    provideSealedColumn({
      table: 'service_users',
      column: 'tfa_secret',
      boundTo: 'id',
      purpose: SECRET_PURPOSE,
      whenLost: 'clear',
    }),
    provideSealedColumn({
      table: 'service_two_factor',
      column: 'recovery_codes',
      boundTo: 'user',
      purpose: CODES_PURPOSE,
      whenLost: 'clear',
    }),
    provideSealedColumn({
      table: 'service_two_factor_offers',
      column: 'secret',
      boundTo: 'session',
      purpose: OFFER_PURPOSE,
      whenLost: 'delete',
    }),
    TwoFactor,
    TwoFactorOffers,
    TwoFactorSetup,
    TwoFactorRemoval,
    TwoFactorHooks,
    TwoFactorResolver,
    AccountReauthentication,
    { provide: Reauthentication, useExisting: AccountReauthentication },
  ],
  exports: [TwoFactor, Reauthentication],
})
export class TwoFactorModule {}
