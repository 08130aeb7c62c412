import { Body, Controller, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Public } from '../common/request/access.decorators';
import { reading } from '../common/request/read-body';
import type { Account } from './accounts';
import { LOGIN, type LoginInput, TOKEN, type TokenInput } from './auth.inputs';
import { AuthService } from './auth.service';
import { PasswordGuard, Proven } from './password.guard';
import type { Tokens } from './token-exchange';

interface Data<T> {
  readonly data: T;
}

/** Signing in, staying so, and signing out. */
@Controller('auth')
@Public()
export class AuthController {
  constructor(private readonly auth: AuthService) {}

  @Post('login')
  @HttpCode(200)
  @UseGuards(PasswordGuard)
  async signIn(
    @Proven() account: Account,
    @Body(reading(LOGIN)) input: LoginInput,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Data<Tokens>> {
    return { data: await this.auth.signIn(account, input, { request, response }) };
  }

  @Post('refresh')
  @HttpCode(200)
  async refresh(
    @Body(reading(TOKEN)) input: TokenInput,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Data<Tokens>> {
    return { data: await this.auth.refresh(input, { request, response }) };
  }

  @Post('logout')
  @HttpCode(204)
  signOut(
    @Body(reading(TOKEN)) input: TokenInput,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    return this.auth.signOut(input, { request, response });
  }
}
