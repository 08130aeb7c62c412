import { Controller, Get, Query } from '@nestjs/common';
import {
  type Answer,
  type CollectionService,
  InjectService,
  ItemsController,
} from '../collections';
import type { RawQuery } from '../repository';
import type { Who as Caller } from '../engine';
import { SignedIn } from '../common/request/access.decorators';
import { Who } from '../common/request/transport';
import { User } from './user.entity';
import { UsersService } from './users.service';

/** Users like any items, and one's own. */
@Controller('users')
export class UsersController extends ItemsController(User) {
  constructor(
    @InjectService(User) items: CollectionService,
    private readonly users: UsersService,
  ) {
    super(items);
  }

  @Get('me')
  @SignedIn()
  me(@Who() who: Caller, @Query() query: RawQuery): Promise<Answer | undefined> {
    return this.users.me(who, query);
  }
}
