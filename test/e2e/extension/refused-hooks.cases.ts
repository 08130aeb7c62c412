import { Injectable, Scope } from '@nestjs/common';
import { type CollectionHooks, HooksOf, type Payload } from 'doorward';
import { Invoice, registering, type Refused } from './refused-starts.cases';

const SENTENCE =
  'is made for each request, or whatever it is given is, and hooks are made once: leave the scope of both the default, and take the caller from the context of the hook.';

@Injectable({ scope: Scope.REQUEST })
class Office {
  readonly name = 'north';
}

/** Called without the office, and without the limit. */
@HooksOf(Invoice)
class OfficeHooks implements CollectionHooks {
  private readonly limit = 20;

  constructor(private readonly office: Office) {}

  beforeCreate(payload: Payload): Payload {
    return { ...payload, number: `${this.office.name} ${this.limit}` };
  }
}

@Injectable({ scope: Scope.REQUEST })
@HooksOf(Invoice)
class ScopedHooks extends OfficeHooks {}

@Injectable({ scope: Scope.TRANSIENT })
@HooksOf(Invoice)
class TransientHooks implements CollectionHooks {
  beforeCreate = (payload: Payload): Payload => payload;
}

const registered = registering(Invoice);

export const REFUSED_HOOKS: Refused[] = [OfficeHooks, ScopedHooks, TransientHooks].map((hooks) => [
  `hooks that are not made once: ${hooks.name}`,
  { ...registered, providers: [...(registered.providers ?? []), Office, hooks] },
  `${hooks.name} ${SENTENCE}`,
]);
