import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Collections, HooksOf } from '../collections';
import { AppConfig } from '../config/app-config';
import { StartupError } from '../config/startup-error';
import type { Caller } from '../engine';
import type { CollectionHooks } from '../repository';
import { User } from './user.entity';

/** What no create can carry: the service itself fills these. */
const FILLED = ['id', 'tfa_secret', 'last_access', 'date_created'];

/**
 * `USER_REQUIRED_FIELDS`: what everybody who makes a user must say of them. The service's own ways of making one
 * (invitation, a provider's sign-in, the first start) are not bound by it, since nobody is asked there.
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

  /** @throws StartupError where one of them is no field of users, or cannot be given */
  onModuleInit(): void {
    const { fields } = this.collections.registry.table('service_users');
    const wrong = this.fields.filter((name) => !fields.has(name) || FILLED.includes(name));
    if (wrong.length === 0) return;
    throw new StartupError(
      `USER_REQUIRED_FIELDS must hold names of fields that a new user can be given, and not ${wrong.join(', ')}`,
    );
  }

  required(caller: Caller): readonly string[] {
    return isService(caller) || this.exempt.has(caller) ? [] : this.fields;
  }

  /** What is made meanwhile in the caller's name is an invitation: whoever accepts it says the rest. */
  async exempting<T>(caller: Caller, work: () => Promise<T>): Promise<T> {
    this.exempt.add(caller);
    try {
      return await work();
    } finally {
      this.exempt.delete(caller);
    }
  }

  /** Which of them the values of a new user lack: absent, null or empty. */
  missing(values: Readonly<Record<string, unknown>>): string[] {
    return this.fields.filter((name) => [undefined, null, ''].includes(values[name] as null));
  }
}

/** Nobody signed in is an administrator without a user: it is the service that acts of its own accord. */
const isService = ({ user, administrator }: Caller): boolean => user === null && administrator;
