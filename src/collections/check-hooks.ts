import type { DiscoveryService } from '@nestjs/core';
import { RegistrationError } from '../common/schema';
import type { CollectionHooks } from '../repository/hooks';
import { HooksOf } from './collection-hooks';
import { hookNames } from './compose-hooks';
import { nearest } from './nearest';
import { type CollectionReference, nameOf } from './tokens';

type Provider = ReturnType<DiscoveryService['getProviders']>[number];

/** A name that makes a method look like a hook, even if it is none: `afterSave`. */
const LIKE_A_HOOK = /^(before|after)[A-Z]/;

/**
 * @throws RegistrationError where Nest makes an instance for each request or user of the class: there is none yet, and
 * what Nest has instead lacks everything that the constructor and the fields of the class set
 */
export function refuseScoped(provider: Provider): void {
  if (provider.isDependencyTreeStatic() && !provider.isTransient) return;
  throw new RegistrationError(
    `${provider.name} is made for each request, or whatever it is given is, and hooks are made once: leave the scope of both the default, and take the caller from the context of the hook.`,
  );
}

/**
 * The collection that a provider's class is hooks of; the provider may be a factory or a value.
 * @throws RegistrationError where the class was given none
 */
export function hookedBy({ instance, name }: Provider): string {
  const { constructor } = instance as object;
  const reference: unknown = Reflect.getMetadata(HooksOf.KEY, constructor);
  if (typeof reference === 'string' || typeof reference === 'function') {
    return nameOf(reference as CollectionReference);
  }
  throw new RegistrationError(
    `${name} is hooks of nothing: its file and that of the entity import each other, so name the collection instead, as in @HooksOf('invoices').`,
  );
}

/** @throws RegistrationError where a class of hooks has none, so that nothing of it would ever be called */
export function refuseWithoutHooks(hooks: CollectionHooks): void {
  const names = hookNames();
  if (names.some((name) => typeof hooks[name] === 'function')) return;
  const suggestions = methodsOf(hooks).flatMap((method) => {
    const known = nearest(method, names);
    return known === undefined ? [] : [`Is ${known} meant by ${method}?`];
  });
  throw new RegistrationError(
    [
      `${hooks.constructor.name} has no method that is a hook, so nothing would call it: name one of ${names.join(', ')}.`,
      ...suggestions,
    ].join(' '),
  );
}

/**
 * A sentence about each method beside the hooks that is probably meant to be one. Names near the shorter hooks are those
 * of helpers: `prepared`.
 */
export function misspeltHooks(hooks: CollectionHooks): string[] {
  const names = hookNames();
  const distinctive = names.filter((name) => LIKE_A_HOOK.test(name));
  return methodsOf(hooks).flatMap((method) => {
    if (names.some((name) => name === method)) return [];
    const known = nearest(method, distinctive);
    if (known === undefined && !LIKE_A_HOOK.test(method)) return [];
    const meant = known === undefined ? `the hooks are ${names.join(', ')}.` : `is ${known} meant?`;
    return [`${hooks.constructor.name}.${method} is no hook, and no write calls it: ${meant}`];
  });
}

const methodsOf = (hooks: CollectionHooks): string[] => [
  ...Object.getOwnPropertyNames(Object.getPrototypeOf(hooks)),
  ...Object.keys(hooks),
];
