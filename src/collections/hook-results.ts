import { types } from 'node:util';
import type { CollectionHooks } from '../repository/hooks';
import type { Payload, Values } from '../repository/write-context';
import { isObject } from '../common/is-object';

/* What a hook returns is checked, since a wrong result is the hook's fault, and not that of the sender. */

type HookName = keyof CollectionHooks;

/** @throws an Error that names the hook where it returned something else than an object of fields */
export function fieldsMadeBy(
  hooks: CollectionHooks,
  name: HookName,
  made: Payload | undefined,
): Payload | undefined {
  const given: unknown = made ?? undefined;
  if (given === undefined || isObjectOfFields(given)) return made ?? undefined;
  throw wrongResult(hooks, name, given, 'an object of fields');
}

/** @throws an Error that names the hook where it returned something else than a Map */
export function valuesMadeBy(hooks: CollectionHooks, made: Values | undefined): Values | undefined {
  const given: unknown = made ?? undefined;
  if (given === undefined || types.isMap(given)) return made ?? undefined;
  throw wrongResult(hooks, 'toStored', given, 'a Map of values');
}

/** The fields of lists, maps and dates are not those of an item. */
const isObjectOfFields = (given: unknown): boolean =>
  typeof given === 'object' &&
  given !== null &&
  !(Symbol.iterator in given) &&
  !types.isDate(given);

const wrongResult = (
  { constructor }: CollectionHooks,
  name: HookName,
  given: unknown,
  wanted: string,
): Error =>
  new Error(
    `${constructor.name}.${name} returned ${kindOf(given)}: it must return ${wanted}, or nothing.`,
  );

function kindOf(given: unknown): string {
  if (!isObject(given)) return `a ${typeof given}`;
  if (Array.isArray(given)) return 'an array';
  const { constructor } = given as { constructor?: { name?: unknown } };
  const name = constructor?.name;
  return typeof name === 'string' && name !== 'Object' ? `a ${name}` : 'an object';
}
