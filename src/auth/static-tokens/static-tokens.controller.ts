import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import type { Answer } from '../../collections';
import { SignedIn } from '../../common/request/access.decorators';
import { Describe } from '../../common/request/describe.decorator';
import { INSTANT, listOf, objectOf, orNull, TEXT, UUID } from '../../common/request/json-schema';
import { reading, readingNothing } from '../../common/request/read-input';
import { CurrentCaller } from '../../common/request/transport';
import type { Caller } from '../../engine';
import { StaticTokenInput } from './static-tokens.inputs';
import {
  type NewStaticToken,
  StaticTokensService,
  type StaticTokenView,
} from './static-tokens.service';

const TOKEN = {
  id: UUID,
  name: TEXT,
  policies: orNull(listOf(UUID)),
  created_at: INSTANT,
  last_used: orNull(INSTANT),
  expires_at: orNull(INSTANT),
};

/** Tokens that users make for their programs. */
@Controller('users')
@SignedIn({ asksToSignIn: true, staticToken: 'refused' })
export class StaticTokensController {
  constructor(private readonly tokens: StaticTokensService) {}

  @Get('me/tokens')
  @Describe('List one’s own static tokens', { answer: listOf(objectOf(TOKEN)) })
  async list(@CurrentCaller() caller: Caller): Promise<Answer<StaticTokenView[]>> {
    return { data: await this.tokens.list(caller) };
  }

  @Post('me/tokens')
  @Describe('Create a static token, which is shown only this once', {
    answer: objectOf({ ...TOKEN, token: TEXT }),
  })
  @HttpCode(200)
  async create(
    @CurrentCaller() caller: Caller,
    @Body(reading(StaticTokenInput)) input: StaticTokenInput,
  ): Promise<Answer<NewStaticToken>> {
    return { data: await this.tokens.create(caller, input) };
  }

  @Delete('me/tokens/:id')
  @Describe('End a static token of one’s own', { path: { id: UUID } })
  @HttpCode(204)
  endOne(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body(readingNothing) _: undefined,
  ): Promise<void> {
    return this.tokens.endOne(caller, id);
  }

  /** For callers who may update the user, and hold every policy that the user has. */
  @Delete(':id/tokens')
  @Describe('End all static tokens of a user', { path: { id: UUID } })
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
