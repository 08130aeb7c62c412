import { Injectable } from '@nestjs/common';
import { type Answer, Collections, type CollectionService } from '../collections';
import type { AnswerBudget, RawQuery } from '../repository';
import type { Caller } from '../engine';
import { Forbidden } from '../common/errors';
import { userOf } from '../common/request/user-of';
import { OwnAccountHooks } from './own-account.hooks';
import { OwnProfile } from './own-profile';
import type { ReauthenticationInput } from './reauthentication';

/** What people do with their own user; everything else follows from rules. */
@Injectable()
export class UsersService {
  private known: OwnProfile | undefined;

  constructor(
    private readonly collections: Collections,
    private readonly own: OwnAccountHooks,
  ) {}

  /** An exception to the rules: everyone sees their own profile. Related rows stay under their rules. */
  async me(caller: Caller, query: RawQuery, budget?: AnswerBudget): Promise<Answer | undefined> {
    const shown = this.profile.shownTo(caller);
    return this.users.one(caller, userOf(caller), query, budget, shown);
  }

  /** Changing one's own password needs no rule, but `current_password` or `otp`, as does one's own e-mail. */
  async updateMe(caller: Caller, body: unknown, query: RawQuery): Promise<Answer | undefined> {
    const { profile } = this;
    const self = profile.withPasswordChange(caller);
    return this.users.updateOne(self, userOf(caller), body, query, profile.shownTo(caller));
  }

  async deleteMe(caller: Caller, credentials: ReauthenticationInput): Promise<string> {
    const key = userOf(caller);
    if (!caller.may('delete', 'service_users')) throw new Forbidden({});
    await this.own.deleteOwn(caller, credentials, () => this.users.deleteOne(caller, key));
    return key;
  }

  private get profile(): OwnProfile {
    return (this.known ??= new OwnProfile(this.collections.registry));
  }

  private get users(): CollectionService {
    return this.collections.service('service_users');
  }
}
