import { Controller, Get } from '@nestjs/common';
import {
  type Answer,
  type CollectionService,
  InjectService,
  ItemsController,
} from '../collections';
import type { Caller } from '../engine';
import { SignedIn } from '../common/request/access.decorators';
import { Describe } from '../common/request/describe.decorator';
import { FLAG, objectOf } from '../common/request/json-schema';
import { CurrentCaller } from '../common/request/transport';
import { PoliciesService, type PolicyGlobals } from './policies.service';
import { Policy } from './policy.entity';

const GLOBALS = objectOf({ app_access: FLAG, admin_access: FLAG, enforce_tfa: FLAG });

/** Policies, which are items, and the flags of the caller's own. */
@Controller('policies')
export class PoliciesController extends ItemsController(Policy) {
  constructor(
    @InjectService(Policy) items: CollectionService,
    private readonly policies: PoliciesService,
  ) {
    super(items);
  }

  @Get('me/globals')
  @Describe('The flags of one’s own policies, combined', { answer: GLOBALS })
  @SignedIn({ asksToSignIn: true })
  async globals(@CurrentCaller() caller: Caller): Promise<Answer<PolicyGlobals>> {
    return { data: await this.policies.globals(caller) };
  }
}
