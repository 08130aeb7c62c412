import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import type { Answer } from '../../collections';
import { SignedIn } from '../../common/request/access.decorators';
import { reading, readingNothing } from '../../common/request/read-input';
import { CurrentCaller } from '../../common/request/transport';
import type { Caller } from '../../engine';
import { StaticTokenInput } from './static-tokens.inputs';
import { type NewStaticToken, StaticTokens, type StaticTokenView } from './static-tokens.service';

/** Tokens that people make for their programs. */
@Controller('users')
@SignedIn({ asksToSignIn: true, staticToken: 'refused' })
export class StaticTokensController {
  constructor(private readonly tokens: StaticTokens) {}

  @Get('me/tokens')
  async list(@CurrentCaller() caller: Caller): Promise<Answer<StaticTokenView[]>> {
    return { data: await this.tokens.list(caller) };
  }

  @Post('me/tokens')
  @HttpCode(200)
  async create(
    @CurrentCaller() caller: Caller,
    @Body(reading(StaticTokenInput)) input: StaticTokenInput,
  ): Promise<Answer<NewStaticToken>> {
    return { data: await this.tokens.create(caller, input) };
  }

  @Delete('me/tokens/:id')
  @HttpCode(204)
  endOne(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body(readingNothing) _: undefined,
  ): Promise<void> {
    return this.tokens.endOne(caller, id);
  }

  /** All of any user, for who holds all that they have. */
  @Delete(':id/tokens')
  @HttpCode(204)
  @SignedIn()
  endAllOf(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body(readingNothing) _: undefined,
  ): Promise<void> {
    return this.tokens.endAllOf(caller, id);
  }
}
