import type { DiscoveryService } from '@nestjs/core';
import { RegistrationError } from '../common/schema';
import type { CollectionHooks } from '../repository/hooks';
import { HooksOf } from './collection-hooks';
import { hookNames } from './compose-hooks';
import { methodNames } from './overrides';
import { nearest } from '../config/nearest';
import { type CollectionReference, nameOf } from './tokens';

type Provider = ReturnType<DiscoveryService['getProviders']>[number];

/** A name that looks like a hook's, even where there is no such hook: `afterSave`. */
const LIKE_A_HOOK = /^(before|after)[A-Z]/;

/**
 * Whether a provider's class, or one that it extends, has the decorator. Nest's own search leaves out the subclasses,
 * whose hooks nothing would ever call.
 */
export function isDecorated(
  { instance, isAlias }: Provider,
  { KEY }: { readonly KEY: string },
): boolean {
  const { constructor } = (instance ?? {}) as object;
  return !isAlias && typeof constructor === 'function' && Reflect.hasMetadata(KEY, constructor);
}

/**
 * @throws RegistrationError where Nest creates an instance for each request, or for each class that injects it: at the
 * start there is none yet, only an object on which neither the constructor nor the fields of the class have set anything
 */
export function refuseScoped(provider: Provider): void {
  if (provider.isDependencyTreeStatic() && !provider.isTransient) return;
  throw new RegistrationError(
    `${provider.name} is request-scoped, or a provider that it injects is, but hooks are created once: give both the default scope, and take the caller from the context of the hook.`,
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
    `The entity in @HooksOf(…) of ${name} is undefined: its file and that of the entity import each other, so give the name of the collection instead, as in @HooksOf('invoices').`,
  );
}

/** @throws RegistrationError where a class with `@HooksOf` has no hook method, so that nothing would ever call it */
export function refuseWithoutHooks(hooks: CollectionHooks): void {
  const names = hookNames();
  if (names.some((name) => typeof hooks[name] === 'function')) return;
  const suggestions = methodsOf(hooks).flatMap((method) => {
    const known = nearest(method, names);
    return known === undefined ? [] : [`Did you mean ${known} by ${method}?`];
  });
  throw new RegistrationError(
    [
      `${hooks.constructor.name} has no hook method, so nothing would call it: the hooks are ${names.join(', ')}.`,
      ...suggestions,
    ].join(' '),
  );
}

/**
 * A sentence about each other method that was probably meant to be a hook. Names similar to those of the shorter hooks
 * belong to helpers: `prepared`.
 */
export function misspeltHooks(hooks: CollectionHooks): string[] {
  const names = hookNames();
  const distinctive = names.filter((name) => LIKE_A_HOOK.test(name));
  return methodsOf(hooks).flatMap((method) => {
    if (names.some((name) => name === method)) return [];
    const known = nearest(method, distinctive);
    if (known === undefined && !LIKE_A_HOOK.test(method)) return [];
    const meant =
      known === undefined ? `the hooks are ${names.join(', ')}.` : `did you mean ${known}?`;
    return [`${hooks.constructor.name}.${method} is not a hook, so no write calls it: ${meant}`];
  });
}

const methodsOf = (hooks: CollectionHooks): string[] => [
  ...methodNames(Object.getPrototypeOf(hooks) as object),
  ...Object.keys(hooks),
];
