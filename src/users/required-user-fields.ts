import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Collections, HooksOf } from '../collections';
import { AppConfig } from '../config/app-config';
import { StartupError } from '../config/startup-error';
import type { Caller } from '../engine';
import type { CollectionHooks } from '../repository';
import { User } from './user.entity';

/** Fields that no create can contain: the service fills these. */
const FILLED = ['id', 'tfa_secret', 'last_access', 'date_created'];

/**
 * `USER_REQUIRED_FIELDS`: what must be given when a user is created. The service's own ways of creating one
 * (invitation, a provider's sign-in, the first start) are exempt, since no one can be asked there.
 */
@HooksOf(User)
@Injectable()
export class RequiredUserFields implements CollectionHooks, OnModuleInit {
  private readonly fields: readonly string[];
  private readonly exempt = new WeakSet<Caller>();

  constructor(
    { userRequiredFields }: AppConfig,
    private readonly collections: Collections,
  ) {
    this.fields = userRequiredFields;
  }

  /** @throws StartupError where one of them is not a field of users, or cannot be set */
  onModuleInit(): void {
    const { fields } = this.collections.registry.table('service_users');
    const wrong = this.fields.filter((name) => !fields.has(name) || FILLED.includes(name));
    if (wrong.length === 0) return;
    throw new StartupError(
      `USER_REQUIRED_FIELDS must contain only fields that can be set on a new user, not ${wrong.join(', ')}`,
    );
  }

  required(caller: Caller): readonly string[] {
    return caller.system !== undefined || this.exempt.has(caller) ? [] : this.fields;
  }

  /** Users created meanwhile in the caller's name are invited: they give the rest when they accept. */
  async exempting<T>(caller: Caller, work: () => Promise<T>): Promise<T> {
    this.exempt.add(caller);
    try {
      return await work();
    } finally {
      this.exempt.delete(caller);
    }
  }

  /** The required fields that a new user lacks: absent, null or empty. */
  missing(values: Readonly<Record<string, unknown>>): string[] {
    return this.fields.filter((name) => [undefined, null, ''].includes(values[name] as null));
  }
}
