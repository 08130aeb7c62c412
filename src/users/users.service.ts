import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Answer, Collections } from '../collections';
import type { RawQuery } from '../repository';
import type { Rule, Who } from '../engine';
import { Forbidden } from '../common/errors';
import { ownProfileRules } from './own-profile';

/** What people do with their own user; the rest is rows and rules. */
@Injectable()
export class UsersService implements OnModuleInit {
  private profile: readonly Rule[] = [];

  constructor(private readonly collections: Collections) {}

  onModuleInit(): void {
    this.profile = ownProfileRules(this.collections.registry);
  }

  /** An exception to the rules: everybody sees their own profile. What it leads to stays under their rules. */
  async me(who: Who, query: RawQuery): Promise<Answer | undefined> {
    if (who.user === null) throw new Forbidden({});
    const self = this.profile.reduce((caller, rule) => caller.granting(rule), who);
    return this.collections.service('service_users').one(self, who.user, query);
  }
}
