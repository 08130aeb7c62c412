import { Body, Controller, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Answer } from '../collections';
import { Public } from '../common/request/access.decorators';
import { Describe } from '../common/request/describe.decorator';
import { reading, readingAny } from '../common/request/read-input';
import { RequestLimitGuard } from '../throttle';
import type { Account } from './accounts';
import { LoginInput, TokenInput } from './auth.inputs';
import { AuthService } from './auth.service';
import { LocalAuthGuard, AuthenticatedAccount } from './local-auth.guard';
import { TOKENS, type Tokens } from './token-issuer';

/** Signing in, refreshing and signing out. */
@Controller('auth')
@Public()
@UseGuards(RequestLimitGuard)
export class AuthController {
  constructor(private readonly auth: AuthService) {}

  @Post('login')
  @Describe('Sign in with e-mail and password', { answer: TOKENS })
  @HttpCode(200)
  @UseGuards(LocalAuthGuard)
  async signIn(
    @AuthenticatedAccount() account: Account,
    @Body(reading(LoginInput)) input: LoginInput,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Answer<Tokens>> {
    return { data: await this.auth.signIn(account, input, { request, response }) };
  }

  @Post('refresh')
  @Describe('Exchange a refresh token, of the body or the cookie, for new tokens', {
    answer: TOKENS,
  })
  @HttpCode(200)
  async refresh(
    @Body(readingAny(TokenInput)) input: TokenInput,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Answer<Tokens>> {
    return { data: await this.auth.refresh(input, { request, response }) };
  }

  @Post('logout')
  @Describe('Sign out')
  @HttpCode(204)
  signOut(
    @Body(readingAny(TokenInput)) input: TokenInput,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    return this.auth.signOut(input, { request, response });
  }
}
