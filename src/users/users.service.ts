import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Answer, Collections, type CollectionService } from '../collections';
import type { RawQuery } from '../repository';
import type { Rule, Caller } from '../engine';
import { Forbidden } from '../common/errors';
import { OwnAccountHooks } from './own-account.hooks';
import { type OwnRules, ownRules } from './own-profile';
import type { ProofInput } from './own-proof';

/** What people do with their own user; the rest is rows and rules. */
@Injectable()
export class UsersService implements OnModuleInit {
  private rules: OwnRules = { profile: [], identity: [], password: [] };

  constructor(
    private readonly collections: Collections,
    private readonly own: OwnAccountHooks,
  ) {}

  onModuleInit(): void {
    this.rules = ownRules(this.collections.registry);
  }

  /** An exception to the rules: everybody sees their own profile. What it leads to stays under their rules. */
  async me(caller: Caller, query: RawQuery): Promise<Answer | undefined> {
    const { profile, identity } = this.rules;
    const self = withRules(caller, caller.needsTfa ? identity : profile);
    return this.users.one(self, ownKey(caller), query);
  }

  /** Their password people change without a rule; it needs `current_password` or `otp` beside it, as their e-mail does. */
  async updateMe(caller: Caller, body: unknown, query: RawQuery): Promise<Answer | undefined> {
    const { profile, password } = this.rules;
    const self = withRules(caller, [...profile, ...password]);
    return this.users.updateOne(self, ownKey(caller), body, query);
  }

  async deleteMe(caller: Caller, proof: ProofInput): Promise<string> {
    const key = ownKey(caller);
    if (!caller.may('delete', 'service_users')) throw new Forbidden({});
    await this.own.leave(caller, proof, () => this.users.deleteOne(caller, key));
    return key;
  }

  private get users(): CollectionService {
    return this.collections.service('service_users');
  }
}

const withRules = (caller: Caller, rules: readonly Rule[]): Caller =>
  rules.reduce((extended, rule) => extended.withRule(rule), caller);

function ownKey({ user }: Caller): string {
  if (user === null) throw new Forbidden({});
  return user;
}
