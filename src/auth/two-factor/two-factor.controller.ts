import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import type { Answer } from '../../collections';
import {
  RequirePermission,
  SignedIn,
  SignedInWithoutTfa,
} from '../../common/request/access.decorators';
import { Describe } from '../../common/request/describe.decorator';
import { listOf, objectOf, TEXT, UUID } from '../../common/request/json-schema';
import { reading, readingNothing } from '../../common/request/read-input';
import { CurrentCaller } from '../../common/request/transport';
import type { Caller } from '../../engine';
import type { NewSecret } from './one-time-passwords';
import { DisableTfaInput, EnableTfaInput, GenerateTfaInput } from './two-factor.inputs';
import { TwoFactorRemoval } from './two-factor-removal';
import { type RecoveryCodes, TwoFactorSetup } from './two-factor-setup';

const SECRET = objectOf({ secret: TEXT, otpauth_url: TEXT });
const CODES = objectOf({ recovery_codes: listOf(TEXT) });

/** Two-factor authentication of the caller's own, and switching it off for a user as an administrator. */
@Controller('users')
export class TwoFactorController {
  constructor(
    private readonly setup: TwoFactorSetup,
    private readonly removal: TwoFactorRemoval,
  ) {}

  @Post('me/tfa/generate')
  @Describe('Get a secret for one-time passwords', { answer: SECRET })
  @HttpCode(200)
  @SignedInWithoutTfa({ asksToSignIn: true, staticToken: 'refused' })
  async generate(
    @CurrentCaller() caller: Caller,
    @Body(reading(GenerateTfaInput)) input: GenerateTfaInput,
  ): Promise<Answer<NewSecret>> {
    return { data: await this.setup.generate(caller, input) };
  }

  @Post('me/tfa/enable')
  @Describe('Switch two-factor authentication on', { answer: CODES })
  @HttpCode(200)
  @SignedInWithoutTfa({ asksToSignIn: true, staticToken: 'refused' })
  async enable(
    @CurrentCaller() caller: Caller,
    @Body(reading(EnableTfaInput)) input: EnableTfaInput,
  ): Promise<Answer<RecoveryCodes>> {
    return { data: await this.setup.enable(caller, input) };
  }

  @Post('me/tfa/disable')
  @Describe('Switch it off')
  @HttpCode(204)
  @SignedIn({ asksToSignIn: true, staticToken: 'refused' })
  disable(
    @CurrentCaller() caller: Caller,
    @Body(reading(DisableTfaInput)) input: DisableTfaInput,
  ): Promise<void> {
    return this.removal.disable(caller, input);
  }

  @Post(':id/tfa/disable')
  @Describe('Switch it off for a user', { path: { id: UUID } })
  @HttpCode(204)
  @RequirePermission('update', 'service_users')
  disableFor(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body(readingNothing) _: undefined,
  ): Promise<void> {
    return this.removal.disableFor(caller, id);
  }
}
