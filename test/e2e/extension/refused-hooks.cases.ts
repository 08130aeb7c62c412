import { type DynamicModule, Injectable, type Provider, Scope } from '@nestjs/common';
import { type CollectionHooks, HooksOf, type Payload } from 'doorward';
import { Invoice, registering, type Refused } from './refused-starts.cases';

const SENTENCE =
  'is request-scoped, or a provider that it injects is, but hooks are created once: give both the default scope, and take the caller from the context of the hook.';

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

/** As after a circular import. */
@HooksOf(undefined as never)
class LostHooks implements CollectionHooks {
  beforeCreate = (payload: Payload): Payload => payload;
}

const registered = registering(Invoice);

const providing = (...providers: Provider[]): DynamicModule => ({
  ...registered,
  providers: [...(registered.providers ?? []), Office, ...providers],
});

export const REFUSED_HOOKS: Refused[] = [
  ...[OfficeHooks, ScopedHooks, TransientHooks].map((hooks): Refused => {
    const message = `${hooks.name} ${SENTENCE}`;
    return [`hooks that are not made once: ${hooks.name}`, providing(hooks), message];
  }),
  [
    'hooks of an entity that is not loaded yet',
    providing(LostHooks),
    "The entity in @HooksOf(…) of LostHooks is undefined: its file and that of the entity import each other, so give the name of the collection instead, as in @HooksOf('invoices').",
  ],
];
