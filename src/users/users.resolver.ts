import { Query, Resolver } from '@nestjs/graphql';
import type { GraphQLResolveInfo } from 'graphql';
import { type CollectionService, InjectService } from '../collections';
import type { Who as Caller } from '../engine';
import { SignedIn } from '../common/request/access.decorators';
import { Who } from '../common/request/transport';
import { Budgeted, ItemsResolver, Selection, selectionOf, TypeDefs } from '../graphql';
import { User } from './user.entity';
import { UsersService } from './users.service';

/** The operations of users, and one's own user. */
@Resolver()
@TypeDefs({ endpoint: 'system', sdl: 'extend type Query { users_me: users }' })
export class UsersResolver extends ItemsResolver(User) {
  constructor(
    @InjectService(User) items: CollectionService,
    private readonly users: UsersService,
  ) {
    super(items);
  }

  @Query('users_me')
  @SignedIn()
  @Budgeted('item')
  async me(@Who() who: Caller, @Selection() info: GraphQLResolveInfo): Promise<unknown> {
    return (await this.users.me(who, selectionOf(info)))?.data ?? null;
  }
}
