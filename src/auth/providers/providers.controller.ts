import { Controller, Get, Param, Query, Redirect, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Public } from '../../common/request/access.decorators';
import { reading } from '../../common/request/read-input';
import { RequestLimitGuard } from '../../throttle';
import { ProviderSignIn, type ProvidersAnswer } from './provider-sign-in.service';
import { LeaveInput, ProvidersInput } from './providers.inputs';

/** Signing in by an external provider, from a browser. */
@Controller('auth')
@Public()
@UseGuards(RequestLimitGuard)
export class ProvidersController {
  constructor(private readonly signIn: ProviderSignIn) {}

  @Get()
  list(@Query(reading(ProvidersInput)) input: ProvidersInput): ProvidersAnswer {
    return this.signIn.list(input);
  }

  @Get('login/:provider')
  @Redirect()
  async leave(
    @Param('provider') name: string,
    @Query(reading(LeaveInput)) input: LeaveInput,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<{ url: string }> {
    return { url: await this.signIn.leave(name, input, { request, response }) };
  }

  @Get('login/:provider/callback')
  @Redirect()
  async comeBack(
    @Param('provider') name: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<{ url: string }> {
    return { url: await this.signIn.comeBack(name, { request, response }) };
  }
}
