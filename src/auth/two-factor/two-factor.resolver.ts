import { Args, Mutation, Resolver } from '@nestjs/graphql';
import {
  RequirePermission,
  SignedIn,
  SignedInWithoutTfa,
} from '../../common/request/access.decorators';
import { reading } from '../../common/request/read-input';
import { CurrentCaller } from '../../common/request/transport';
import type { Caller } from '../../engine';
import { Arguments, TypeDefs } from '../../graphql';
import type { NewSecret } from './one-time-passwords';
import { DisableTfaInput, EnableTfaInput, GenerateTfaInput } from './two-factor.inputs';
import { TwoFactorRemoval } from './two-factor-removal';
import { type RecoveryCodes, TwoFactorSetup } from './two-factor-setup';

const SDL = `
  type users_me_tfa_generate_data { secret: String otpauth_url: String }
  type users_me_tfa_enable_data { recovery_codes: [String!] }
  extend type Mutation {
    users_me_tfa_generate(password: String!): users_me_tfa_generate_data
    users_me_tfa_enable(secret: String!, otp: String!): users_me_tfa_enable_data
    users_me_tfa_disable(otp: String!): Boolean
    users_tfa_disable(id: ID!): Boolean
  }`;

/** The same four operations as in REST. */
@Resolver()
@TypeDefs({ endpoint: 'system', sdl: SDL })
export class TwoFactorResolver {
  constructor(
    private readonly setup: TwoFactorSetup,
    private readonly removal: TwoFactorRemoval,
  ) {}

  @Mutation('users_me_tfa_generate')
  @SignedInWithoutTfa({ asksToSignIn: true, staticToken: 'refused' })
  generate(
    @CurrentCaller() caller: Caller,
    @Arguments(reading(GenerateTfaInput)) input: GenerateTfaInput,
  ): Promise<NewSecret> {
    return this.setup.generate(caller, input);
  }

  @Mutation('users_me_tfa_enable')
  @SignedInWithoutTfa({ asksToSignIn: true, staticToken: 'refused' })
  enable(
    @CurrentCaller() caller: Caller,
    @Arguments(reading(EnableTfaInput)) input: EnableTfaInput,
  ): Promise<RecoveryCodes> {
    return this.setup.enable(caller, input);
  }

  @Mutation('users_me_tfa_disable')
  @SignedIn({ asksToSignIn: true, staticToken: 'refused' })
  async disable(
    @CurrentCaller() caller: Caller,
    @Arguments(reading(DisableTfaInput)) input: DisableTfaInput,
  ): Promise<boolean> {
    await this.removal.disable(caller, input);
    return true;
  }

  @Mutation('users_tfa_disable')
  @RequirePermission('update', 'service_users')
  async disableFor(@CurrentCaller() caller: Caller, @Args('id') id: string): Promise<boolean> {
    await this.removal.disableFor(caller, id);
    return true;
  }
}
