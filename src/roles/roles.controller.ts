import { Controller, Get } from '@nestjs/common';
import {
  type Answer,
  type CollectionService,
  InjectService,
  ItemsController,
  ReadQuery,
} from '../collections';
import type { Caller } from '../engine';
import type { RawQuery } from '../repository';
import { SignedIn } from '../common/request/access.decorators';
import { Describe } from '../common/request/describe.decorator';
import { listOf, objectOf, SHOWING, UUID } from '../common/request/json-schema';
import { CurrentCaller } from '../common/request/transport';
import { Role } from './role.entity';
import { RolesService } from './roles.service';

/** Roles, which are items, and the caller's own. */
@Controller('roles')
export class RolesController extends ItemsController(Role) {
  constructor(
    @InjectService(Role) items: CollectionService,
    private readonly roles: RolesService,
  ) {
    super(items);
  }

  @Get('me')
  @Describe('One’s own roles, the nearest first', {
    query: SHOWING,
    answer: listOf(objectOf({ 'id?': UUID })),
  })
  @SignedIn({ asksToSignIn: true })
  mine(@CurrentCaller() caller: Caller, @ReadQuery() query: RawQuery): Promise<Answer> {
    return this.roles.mine(caller, query);
  }
}
