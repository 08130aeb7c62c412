import { Injectable } from '@nestjs/common';
import { type Answer, Collections } from '../collections';
import { builtInRule, type BuiltInRule, type Caller } from '../engine';
import type { AdditionalGrants, AnswerBudget, RawQuery } from '../repository';

/** Grants the ids of the caller's role and its ancestors. */
const OWN_IDS: BuiltInRule = {
  action: 'read',
  collection: 'service_roles',
  permissions: { id: { _in: '$CURRENT_ROLES' } },
  fields: ['id'],
};

/** Roles are items under rules; but every caller may read the ids of their own. */
@Injectable()
export class RolesService {
  constructor(private readonly collections: Collections) {}

  /** The caller's role and its ancestors, nearest first: their ids, and the fields that the caller's rules grant. */
  mine(caller: Caller, query: RawQuery, budget?: AnswerBudget): Promise<Answer> {
    const roles = this.collections.service('service_roles');
    return roles.listByKeys(caller, caller.identity.roles, query, budget, this.shownTo(caller));
  }

  private shownTo(caller: Caller): AdditionalGrants {
    return { item: caller.withRule(builtInRule(OWN_IDS, this.collections.registry)) };
  }
}
