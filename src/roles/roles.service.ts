import { Injectable } from '@nestjs/common';
import { type Answer, Collections } from '../collections';
import { type Caller, parseRule } from '../engine';
import type { AdditionalGrants, RawQuery } from '../repository';

/** Roles are rows and rules, but that everybody knows which are theirs. */
@Injectable()
export class RolesService {
  constructor(private readonly collections: Collections) {}

  /** One's own role and its ancestors, nearest first: their ids, and what else the caller's rules show of them. */
  mine(caller: Caller, query: RawQuery): Promise<Answer> {
    const roles = this.collections.service('service_roles');
    return roles.listByKeys(caller, caller.identity.roles, query, this.shownTo(caller));
  }

  private shownTo(caller: Caller): AdditionalGrants {
    const rule = {
      ...{ id: 0, policy: '', collection: 'service_roles', action: 'read', fields: ['id'] },
      ...{ permissions: { id: { _in: '$CURRENT_ROLES' } }, validation: {}, presets: {} },
    };
    return { item: caller.withRule(parseRule(rule, this.collections.registry)) };
  }
}
