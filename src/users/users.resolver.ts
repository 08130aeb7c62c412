import { Mutation, Query, Resolver } from '@nestjs/graphql';
import type { GraphQLResolveInfo } from 'graphql';
import { type CollectionService, InjectService } from '../collections';
import type { Caller } from '../engine';
import { SignedIn, SignedInWithoutTfa } from '../common/request/access.decorators';
import { reading } from '../common/request/read-input';
import { CurrentCaller } from '../common/request/transport';
import {
  Arguments,
  Budget,
  Budgeted,
  ItemsResolver,
  ResolveInfo,
  selectionOf,
  TypeDefs,
} from '../graphql';
import type { AnswerBudget } from '../repository';
import { ReauthenticationInput } from './reauthentication';
import { User } from './user.entity';
import { UsersService } from './users.service';

const SDL = `
  extend input update_users_input { current_password: String otp: String }
  extend type Query { users_me: users }
  extend type Mutation {
    update_users_me(data: update_users_input!): users
    delete_users_me(current_password: String, otp: String): delete_one
  }`;

/** The operations of users, and the caller's own user. */
@Resolver()
@TypeDefs({ endpoint: 'system', sdl: SDL })
export class UsersResolver extends ItemsResolver(User) {
  constructor(
    @InjectService(User) items: CollectionService,
    private readonly users: UsersService,
  ) {
    super(items);
  }

  @Query('users_me')
  @SignedInWithoutTfa({ asksToSignIn: true })
  @Budgeted('item')
  async me(
    @CurrentCaller() caller: Caller,
    @ResolveInfo() info: GraphQLResolveInfo,
    @Budget() budget: AnswerBudget,
  ): Promise<unknown> {
    return (await this.users.me(caller, selectionOf(info), budget))?.data ?? null;
  }

  @Mutation('update_users_me')
  @SignedIn({ asksToSignIn: true, staticToken: 'refused' })
  async updateMe(
    @CurrentCaller() caller: Caller,
    @Arguments() { data }: Arguments,
    @ResolveInfo() info: GraphQLResolveInfo,
  ): Promise<unknown> {
    return (await this.users.updateMe(caller, data, selectionOf(info)))?.data ?? null;
  }

  @Mutation('delete_users_me')
  @SignedIn({ asksToSignIn: true, staticToken: 'refused' })
  async deleteMe(
    @CurrentCaller() caller: Caller,
    @Arguments(reading(ReauthenticationInput)) credentials: ReauthenticationInput,
  ): Promise<{ id: string }> {
    return { id: await this.users.deleteMe(caller, credentials) };
  }
}
