import { Controller, Get, Param, Query, Redirect, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Public } from '../../common/request/access.decorators';
import { Describe } from '../../common/request/describe.decorator';
import { FLAG, listOf, objectOf, orNull, TEXT } from '../../common/request/json-schema';
import { readInput } from '../../common/request/read-input';
import { RequestLimitGuard } from '../../throttle';
import { ProviderSignInService, type ProvidersAnswer } from './provider-sign-in.service';
import { AuthorizeInput, MAX_REDIRECT } from './providers.inputs';

const PROVIDERS = objectOf({
  data: listOf(objectOf({ name: TEXT, driver: TEXT, label: TEXT, icon: orNull(TEXT) })),
  disableDefault: FLAG,
});

const SESSION_ONLY = {
  ...TEXT,
  description: 'With or without a value: only providers whose sign-in ends in a session cookie.',
};

/** Signing in by an external provider, in a browser. */
@Controller('auth')
@Public()
@UseGuards(RequestLimitGuard)
export class ProvidersController {
  constructor(private readonly signIn: ProviderSignInService) {}

  @Get()
  @Describe('List the external providers of sign-in', {
    query: { sessionOnly: SESSION_ONLY },
    content: { 'application/json': PROVIDERS },
  })
  list(@Query('sessionOnly') sessionOnly: unknown): ProvidersAnswer {
    return this.signIn.list({ sessionOnly });
  }

  @Get('login/:provider')
  @Describe('Sign in by a provider, in a browser', {
    query: { redirect: { ...TEXT, maxLength: MAX_REDIRECT } },
    faults: [404],
  })
  @Redirect()
  async authorize(
    @Param('provider') name: string,
    @Query('redirect') redirect: unknown,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<{ url: string }> {
    const input = readInput(AuthorizeInput, { redirect });
    return { url: await this.signIn.authorize(name, input, { request, response }) };
  }

  @Get('login/:provider/callback')
  @Describe('Where the provider leads back to', { anyQuery: true, faults: [404] })
  @Redirect()
  async callback(
    @Param('provider') name: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<{ url: string }> {
    return { url: await this.signIn.callback(name, { request, response }) };
  }
}
