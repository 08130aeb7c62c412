import { Query, Resolver } from '@nestjs/graphql';
import { type CollectionService, InjectService } from '../collections';
import type { Caller } from '../engine';
import { SignedIn } from '../common/request/access.decorators';
import { CurrentCaller } from '../common/request/transport';
import { Budgeted, ItemsResolver, TypeDefs } from '../graphql';
import { PoliciesService, type PolicyGlobals } from './policies.service';
import { Policy } from './policy.entity';

const SDL = `
  type policies_globals { app_access: Boolean admin_access: Boolean enforce_tfa: Boolean }
  extend type Query { policies_me_globals: policies_globals }`;

/** The operations of policies, and the flags of the caller's own. */
@Resolver()
@TypeDefs({ endpoint: 'system', sdl: SDL })
export class PoliciesResolver extends ItemsResolver(Policy) {
  constructor(
    @InjectService(Policy) items: CollectionService,
    private readonly policies: PoliciesService,
  ) {
    super(items);
  }

  @Query('policies_me_globals')
  @SignedIn({ asksToSignIn: true })
  @Budgeted('item')
  globals(@CurrentCaller() caller: Caller): Promise<PolicyGlobals> {
    return this.policies.globals(caller);
  }
}
