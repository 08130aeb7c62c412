import { Controller, Get, Param, Query, Redirect, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Public } from '../../common/request/access.decorators';
import { Describe } from '../../common/request/describe.decorator';
import { FLAG, listOf, objectOf, orNull, TEXT } from '../../common/request/json-schema';
import { reading } from '../../common/request/read-input';
import { RequestLimitGuard } from '../../throttle';
import { ProviderSignInService, type ProvidersAnswer } from './provider-sign-in.service';
import { LeaveInput, ProvidersInput } from './providers.inputs';

const PROVIDERS = objectOf({
  data: listOf(objectOf({ name: TEXT, driver: TEXT, label: TEXT, icon: orNull(TEXT) })),
  disableDefault: FLAG,
});

/** Signing in by an external provider, in a browser. */
@Controller('auth')
@Public()
@UseGuards(RequestLimitGuard)
export class ProvidersController {
  constructor(private readonly signIn: ProviderSignInService) {}

  @Get()
  @Describe('List the external providers of sign-in', {
    content: { 'application/json': PROVIDERS },
  })
  list(@Query(reading(ProvidersInput)) input: ProvidersInput): ProvidersAnswer {
    return this.signIn.list(input);
  }

  @Get('login/:provider')
  @Describe('Sign in by a provider, in a browser')
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
  @Describe('Where the provider leads back to', { anyQuery: true })
  @Redirect()
  async comeBack(
    @Param('provider') name: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<{ url: string }> {
    return { url: await this.signIn.comeBack(name, { request, response }) };
  }
}
