import { Body, Controller, Delete, Get, HttpCode, Param } from '@nestjs/common';
import type { Answer } from '../../collections';
import { SignedIn } from '../../common/request/access.decorators';
import { Describe } from '../../common/request/describe.decorator';
import {
  FLAG,
  INSTANT,
  listOf,
  objectOf,
  orNull,
  TEXT,
  UUID,
} from '../../common/request/json-schema';
import { readingNothing } from '../../common/request/read-input';
import { CurrentCaller } from '../../common/request/transport';
import type { Caller } from '../../engine';
import { type SessionView, UserSessionsService } from './user-sessions.service';

const SESSION = objectOf({
  id: UUID,
  device: orNull(TEXT),
  ip: orNull(TEXT),
  created_at: INSTANT,
  last_seen: INSTANT,
  expires_at: INSTANT,
  current: FLAG,
});

/** Where a user is signed in, and signing out there. */
@Controller('users')
@SignedIn({ asksToSignIn: true, staticToken: 'refused' })
export class UserSessionsController {
  constructor(private readonly sessions: UserSessionsService) {}

  @Get('me/sessions')
  @Describe('List one’s own sessions, the current one first', { answer: listOf(SESSION) })
  async list(@CurrentCaller() caller: Caller): Promise<Answer<SessionView[]>> {
    return { data: await this.sessions.list(caller) };
  }

  /** All except the current one. */
  @Delete('me/sessions')
  @Describe('End one’s own sessions but the current one')
  @HttpCode(204)
  endOthers(@CurrentCaller() caller: Caller, @Body(readingNothing) _: undefined): Promise<void> {
    return this.sessions.endOthers(caller);
  }

  @Delete('me/sessions/:id')
  @Describe('End a session of one’s own', { path: { id: UUID } })
  @HttpCode(204)
  endOne(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body(readingNothing) _: undefined,
  ): Promise<void> {
    return this.sessions.endOne(caller, id);
  }

  /** For callers who may update the user, and hold every policy that the user has. */
  @Delete(':id/sessions')
  @Describe('End all sessions of a user', { path: { id: UUID } })
  @SignedIn()
  @HttpCode(204)
  endAllOf(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body(readingNothing) _: undefined,
  ): Promise<void> {
    return this.sessions.endAllOf(caller, id);
  }
}
