import { Query, Resolver } from '@nestjs/graphql';
import { type CollectionService, InjectService } from '../collections';
import type { Caller } from '../engine';
import { SignedIn } from '../common/request/access.decorators';
import { CurrentCaller } from '../common/request/transport';
import { Budgeted, DeclareLists, ItemsResolver, TypeDefs } from '../graphql';
import { Permission } from './permission.entity';
import type { PermissionReport } from './permission-report';
import { PermissionsService } from './permissions.service';

/** The operations of rules, and the report of one's own permissions. The check of one item is offered over REST alone. */
@Resolver()
@DeclareLists('strict')
@TypeDefs({ endpoint: 'system', sdl: 'extend type Query { permissions_me: JSON }' })
export class PermissionsResolver extends ItemsResolver(Permission) {
  constructor(
    @InjectService(Permission) items: CollectionService,
    private readonly permissions: PermissionsService,
  ) {
    super(items);
  }

  @Query('permissions_me')
  @SignedIn()
  @Budgeted('item')
  mine(@CurrentCaller() caller: Caller): PermissionReport {
    return this.permissions.mine(caller).data;
  }
}
