import { Query, Resolver } from '@nestjs/graphql';
import type { GraphQLResolveInfo } from 'graphql';
import { type CollectionService, InjectService } from '../collections';
import type { Caller } from '../engine';
import { SignedIn } from '../common/request/access.decorators';
import { CurrentCaller } from '../common/request/transport';
import { Budget, Budgeted, ItemsResolver, ResolveInfo, selectionOf, TypeDefs } from '../graphql';
import type { AnswerBudget } from '../repository';
import { Role } from './role.entity';
import { RolesService } from './roles.service';

/** The operations of roles, and the caller's own roles. */
@Resolver()
@TypeDefs({ endpoint: 'system', sdl: 'extend type Query { roles_me: [roles] }' })
export class RolesResolver extends ItemsResolver(Role) {
  constructor(
    @InjectService(Role) items: CollectionService,
    private readonly roles: RolesService,
  ) {
    super(items);
  }

  @Query('roles_me')
  @SignedIn({ asksToSignIn: true })
  // Counted as one item: a user has few roles, not as many as a list may hold by default.
  @Budgeted('item')
  async mine(
    @CurrentCaller() caller: Caller,
    @ResolveInfo() info: GraphQLResolveInfo,
    @Budget() budget: AnswerBudget,
  ): Promise<unknown> {
    return (await this.roles.mine(caller, selectionOf(info), budget)).data;
  }
}
