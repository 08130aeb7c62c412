import { Injectable } from '@nestjs/common';
import { type Answer, Collections } from '../collections';
import { type Caller, parseRule } from '../engine';
import type { AdditionalGrants, AnswerBudget, RawQuery } from '../repository';

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
    const rule = {
      id: 0,
      policy: '',
      collection: 'service_roles',
      action: 'read',
      fields: ['id'],
      permissions: { id: { _in: '$CURRENT_ROLES' } },
      validation: {},
      presets: {},
    };
    return { item: caller.withRule(parseRule(rule, this.collections.registry)) };
  }
}
