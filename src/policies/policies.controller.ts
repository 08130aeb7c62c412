import { Controller, Get } from '@nestjs/common';
import {
  type Answer,
  type CollectionService,
  InjectService,
  ItemsController,
} from '../collections';
import type { Caller } from '../engine';
import { SignedIn } from '../common/request/access.decorators';
import { CurrentCaller } from '../common/request/transport';
import { PoliciesService, type PolicyGlobals } from './policies.service';
import { Policy } from './policy.entity';

/** Policies like any items, and what one's own say beside their rules. */
@Controller('policies')
export class PoliciesController extends ItemsController(Policy) {
  constructor(
    @InjectService(Policy) items: CollectionService,
    private readonly policies: PoliciesService,
  ) {
    super(items);
  }

  @Get('me/globals')
  @SignedIn({ asksToSignIn: true })
  async globals(@CurrentCaller() caller: Caller): Promise<Answer<PolicyGlobals>> {
    return { data: await this.policies.globals(caller) };
  }
}
