import { UseGuards } from '@nestjs/common';
import { Context, Mutation, Resolver } from '@nestjs/graphql';
import { Public } from '../common/request/access.decorators';
import { reading } from '../common/request/read-input';
import { Arguments, TypeDefs } from '../graphql';
import { RequestLimitGuard } from '../throttle';
import type { Account } from './accounts';
import { LoginInput, TokenInput } from './auth.inputs';
import { AuthService } from './auth.service';
import type { Exchange } from '../common/http/exchange';
import { LocalAuthGuard, AuthenticatedAccount } from './local-auth.guard';
import type { Tokens } from './token-issuer';

/** `expires` is in milliseconds: 25 days exceed an Int. */
const SDL = `
  enum auth_mode { json cookie session }
  type auth_tokens { access_token: String refresh_token: String expires: Float }
  extend type Mutation {
    auth_login(email: String!, password: String!, mode: auth_mode, otp: String): auth_tokens
    auth_refresh(refresh_token: String, mode: auth_mode): auth_tokens
    auth_logout(refresh_token: String, mode: auth_mode): Boolean
  }`;

/** The same three operations as in REST. */
@Resolver()
@TypeDefs({ endpoint: 'system', sdl: SDL })
@Public()
@UseGuards(RequestLimitGuard)
export class AuthResolver {
  constructor(private readonly auth: AuthService) {}

  @Mutation('auth_login')
  @UseGuards(LocalAuthGuard)
  signIn(
    @AuthenticatedAccount() account: Account,
    @Arguments(reading(LoginInput)) input: LoginInput,
    @Context() exchange: Exchange,
  ): Promise<Tokens> {
    return this.auth.signIn(account, input, exchange);
  }

  @Mutation('auth_refresh')
  refresh(
    @Arguments(reading(TokenInput)) input: TokenInput,
    @Context() exchange: Exchange,
  ): Promise<Tokens> {
    return this.auth.refresh(input, exchange);
  }

  @Mutation('auth_logout')
  async signOut(
    @Arguments(reading(TokenInput)) input: TokenInput,
    @Context() exchange: Exchange,
  ): Promise<boolean> {
    await this.auth.signOut(input, exchange);
    return true;
  }
}
