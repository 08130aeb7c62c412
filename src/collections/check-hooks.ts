import { RegistrationError } from '../common/schema';
import type { CollectionHooks } from '../repository/hooks';
import { hookNames } from './compose-hooks';
import { nearest } from './nearest';

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

const methodsOf = (hooks: CollectionHooks): string[] => [
  ...Object.getOwnPropertyNames(Object.getPrototypeOf(hooks)),
  ...Object.keys(hooks),
];
