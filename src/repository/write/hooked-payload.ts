import { type Cell, isNamed, isStored } from '../../engine';
import { AppError, FailedValidation } from '../../common/errors';
import { inTurns } from '../../common/next-turn';
import type { Key, Payload, Values } from '../hooks';
import { callHook } from './call-hook';
import type { CollectionPlanning } from './collection-write';
import { HookContext, PayloadHookContext } from './hook-context';
import { checkValue, refusedValue } from './check-value';
import {
  asPayload,
  type CheckedPayload,
  checkPayload,
  fieldsOf,
  namedFields,
  refuseUnwritable,
  withoutKey,
} from './payload';
import { AT_ONCE } from './plan';

/** A payload for one row, or for several that get the same values; an undefined key is a new row's. */
export interface Sent {
  readonly keys: readonly (Key | undefined)[];
  readonly payload: unknown;
  readonly prepared?: boolean;
}

/** A row's values, by their origin. */
export interface HookedPayload {
  readonly checked: CheckedPayload;
  /** Every field that was sent, including those that hooks have replaced. */
  readonly fields: readonly string[];
  readonly set: Values;
  readonly defaults: Values;
}

/**
 * Runs the collection's hooks on a payload, and checks the result. Values set by hooks need no grant; a sender of the
 * same field must have been allowed to set it, as if no hook had.
 */
export async function hookPayload(
  scope: CollectionPlanning,
  { keys: all, payload: raw, prepared = false }: Sent,
): Promise<HookedPayload> {
  const { collection, decision } = scope;
  const sent = asPayload(raw, collection, decision);
  const keys = all.filter((key) => key !== undefined);
  const { payload, names } = await runHooks(scope, sent, keys, prepared);
  const isSet = (name: string): boolean => names.has(name) && Object.hasOwn(payload, name);
  const replaced = Object.keys(sent).filter(isSet);
  refuseUnsent(replaced, scope);
  const said = names.size === 0 ? payload : only(payload, (name) => !isSet(name));
  const own = decision.action === 'create' ? said : withoutKey(said, keys, collection);
  const checked = await checkPayload(own, scope);
  return {
    checked,
    fields: [...fieldsOf(checked), ...replaced],
    set: names.size === 0 ? NOTHING : await readHooked(only(payload, isSet), scope),
    defaults: await readDefaults(scope, payload, keys),
  };
}

/** @returns what hooks made of the payload, and the fields that they set */
async function runHooks(
  scope: CollectionPlanning,
  sent: Payload,
  keys: readonly Key[],
  prepared: boolean,
): Promise<{ readonly payload: Payload; readonly names: ReadonlySet<string> }> {
  const { hooks, decision } = scope;
  const isNew = decision.action === 'create';
  if (isNew ? !hooks.beforeCreate : !hooks.beforeUpdate) return { payload: sent, names: NO_NAMES };
  const context = new PayloadHookContext(scope, keys, prepared);
  const made = isNew
    ? await callHook(scope, 'beforeCreate', sent, context)
    : await callHook(scope, 'beforeUpdate', sent, keys, context);
  return { payload: context.withSet(made ?? sent), names: context.names };
}

const NO_NAMES: ReadonlySet<string> = new Set();

async function readDefaults(
  scope: CollectionPlanning,
  payload: Payload,
  keys: readonly Key[],
): Promise<Values> {
  const { hooks, decision } = scope;
  if (!hooks.defaults || decision.action !== 'create') return NOTHING;
  const defaults = (await callHook(scope, 'defaults', payload, new HookContext(scope, keys))) ?? {};
  return readHooked(
    only(defaults, (name) => defaults[name] !== undefined && !Object.hasOwn(payload, name)),
    scope,
  );
}

/** A field that a hook replaces must have been the sender's to set. */
function refuseUnsent(replaced: readonly string[], scope: CollectionPlanning): void {
  namedFields(replaced, scope);
  refuseUnwritable(scope.collection, replaced);
}

const NOTHING: Values = new Map();

const only = (payload: Payload, isMeant: (name: string) => boolean): Payload =>
  Object.fromEntries(Object.entries(payload).filter(([name]) => isMeant(name)));

/**
 * @throws an Error where the hook is wrong whatever was sent
 * @throws FailedValidation and the like for a value that a column cannot hold, which may result from what was sent
 */
async function readHooked(values: Payload, scope: CollectionPlanning): Promise<Values> {
  const { collection, decision } = scope;
  const read = new Map<string, Cell>();
  await inTurns(Object.entries(values), AT_ONCE, ([name, value]) => {
    if (decision.action === 'update' && name === collection.key) {
      throw new Error(`A hook of ${collection.name} sets the key of a row that is there`);
    }
    read.set(name, readCell(name, value, scope));
  });
  return read;
}

/** An error does not name a field that the caller may not name. */
function readCell(
  name: string,
  value: unknown,
  { collection, decision }: CollectionPlanning,
): Cell {
  const field = collection.fields.get(name);
  if (!field || !isStored(field)) {
    throw new Error(`A hook of ${collection.name} sets ${name}, which is no stored field of it`);
  }
  if (field.filling !== undefined) {
    throw new Error(`A hook of ${collection.name} sets ${name}, which the service fills in`);
  }
  const cell = refusedValue(value, field, collection) ?? checkValue(value, field, collection);
  if (!(cell instanceof AppError)) return cell;
  throw isNamed(decision, name) ? cell : new FailedValidation({}, { cause: cell });
}
