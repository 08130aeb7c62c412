import { Body, Controller, Delete, Get, HttpCode, Patch, Query } from '@nestjs/common';
import {
  type Answer,
  type CollectionService,
  InjectService,
  ItemsController,
  ReadQuery,
} from '../collections';
import type { RawQuery } from '../repository';
import type { Caller } from '../engine';
import { SignedIn, SignedInWithoutTfa } from '../common/request/access.decorators';
import { Describe } from '../common/request/describe.decorator';
import { objectOf, orNull, SHOWING, TEXT, UUID } from '../common/request/json-schema';
import { readingAny } from '../common/request/read-input';
import { CurrentCaller } from '../common/request/transport';
import { REAUTHENTICATION, ReauthenticationInput } from './reauthentication';
import { User } from './user.entity';
import { UsersService } from './users.service';

/** One’s own profile names the role, also to callers who may not read roles. */
const RELATED = { role: objectOf({ 'id?': UUID, 'name?': TEXT }) };

/** Users like any items, and the caller's own. */
@Controller('users')
export class UsersController extends ItemsController(User) {
  constructor(
    @InjectService(User) items: CollectionService,
    private readonly users: UsersService,
  ) {
    super(items);
  }

  @Get('me')
  @Describe('One’s own profile', { query: SHOWING, item: 'service_users', related: RELATED })
  @SignedInWithoutTfa({ asksToSignIn: true })
  me(@CurrentCaller() caller: Caller, @ReadQuery() query: RawQuery): Promise<Answer | undefined> {
    return this.users.me(caller, query);
  }

  @Patch('me')
  @Describe('Change one’s own profile', {
    description: 'One’s own password is changed without a rule.',
    query: SHOWING,
    item: 'service_users',
    related: RELATED,
    more: { password: { ...orNull(TEXT), maxLength: 255 }, ...REAUTHENTICATION },
  })
  @SignedIn({ asksToSignIn: true, staticToken: 'refused' })
  updateMe(
    @CurrentCaller() caller: Caller,
    @Body() body: unknown,
    @Query() query: RawQuery,
  ): Promise<Answer | undefined> {
    return this.users.updateMe(caller, body, query);
  }

  @Delete('me')
  @Describe('Delete one’s own account')
  @HttpCode(204)
  @SignedIn({ asksToSignIn: true, staticToken: 'refused' })
  async deleteMe(
    @CurrentCaller() caller: Caller,
    @Body(readingAny(ReauthenticationInput)) credentials: ReauthenticationInput,
  ): Promise<void> {
    await this.users.deleteMe(caller, credentials);
  }
}
