import { type Cell, isNamed, isStored } from '../../../engine';
import { AppError, FailedValidation } from '../../../common/errors';
import { inTurns } from '../../../common/next-turn';
import type { Key, Payload, Values } from '../../write-context';
import { callHook } from '../call-hook';
import type { CollectionPlanning } from '../collection-write';
import { HookContext, PayloadHookContext } from '../hook-context';
import { checkValue, refusedValue } from './check-value';
import {
  asPayload,
  type CheckedPayload,
  checkPayload,
  fieldsOf,
  refuseUnwritable,
  requireNamed,
  withoutKey,
} from './payload';
import { ROWS_PER_TURN, NO_FIELDS, NO_VALUES } from './plan';

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
  /** As in `PlannedRow`. */
  readonly hidden: readonly string[];
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
  const { collection, decision, hooks } = scope;
  const sent = asPayload(raw, collection, decision);
  const keys = all.filter((key) => key !== undefined);
  const isNew = decision.action === 'create';
  // An update of no row is checked like any other, but there is nothing for a hook to know.
  const hook =
    isNew || keys.length > 0 ? hooks[isNew ? 'beforeCreate' : 'beforeUpdate'] : undefined;
  // There may be thousands of rows: without a hook there is nothing to await.
  const hooked = hook ? await runHooks(scope, sent, keys, prepared) : untouched(sent);
  const own = isNew ? hooked.sent : withoutKey(hooked.sent, keys, collection);
  const checked = await checkPayload(own, scope);
  const fields = fieldsOf(checked);
  return {
    checked,
    fields: hooked.replaced.length === 0 ? fields : [...fields, ...hooked.replaced],
    hidden: NO_FIELDS,
    set: hooked.set ? await readHooked(hooked.set, scope) : NO_VALUES,
    defaults: hooks.defaults && isNew ? await readDefaults(scope, hooked.payload, keys) : NO_VALUES,
  };
}

/** A payload after the hooks. */
interface AfterHooks {
  readonly payload: Payload;
  /** The payload without what hooks have set. */
  readonly sent: Payload;
  /** What hooks have set. */
  readonly set?: Payload;
  /** The fields among these that were sent as well. */
  readonly replaced: readonly string[];
}

const untouched = (payload: Payload): AfterHooks => ({ payload, sent: payload, replaced: [] });

async function runHooks(
  scope: CollectionPlanning,
  sent: Payload,
  keys: readonly Key[],
  prepared: boolean,
): Promise<AfterHooks> {
  const context = new PayloadHookContext(scope, keys, prepared);
  const returned =
    scope.decision.action === 'create'
      ? await callHook(scope, 'beforeCreate', sent, context)
      : await callHook(scope, 'beforeUpdate', sent, keys, context);
  const payload = context.withSet(returned ?? sent);
  const { names } = context;
  if (names.size === 0) return untouched(payload);
  const isSet = (name: string): boolean => names.has(name) && Object.hasOwn(payload, name);
  const replaced = Object.keys(sent).filter(isSet);
  refuseUnsent(replaced, scope);
  return {
    payload,
    replaced,
    sent: pickFields(payload, (name) => !isSet(name)),
    set: pickFields(payload, isSet),
  };
}

async function readDefaults(
  scope: CollectionPlanning,
  payload: Payload,
  keys: readonly Key[],
): Promise<Values> {
  const defaults = (await callHook(scope, 'defaults', payload, new HookContext(scope, keys))) ?? {};
  return readHooked(
    pickFields(defaults, (name) => defaults[name] !== undefined && !Object.hasOwn(payload, name)),
    scope,
  );
}

/** A field that a hook replaces must have been the sender's to set. */
function refuseUnsent(replaced: readonly string[], scope: CollectionPlanning): void {
  requireNamed(replaced, scope);
  refuseUnwritable(scope.collection, replaced);
}

const pickFields = (payload: Payload, isPicked: (name: string) => boolean): Payload =>
  Object.fromEntries(Object.entries(payload).filter(([name]) => isPicked(name)));

/**
 * @throws an Error where the hook is wrong whatever was sent
 * @throws FailedValidation and the like for a value that a column cannot hold, which may result from what was sent
 */
async function readHooked(values: Payload, scope: CollectionPlanning): Promise<Values> {
  const { collection, decision } = scope;
  const read = new Map<string, Cell>();
  await inTurns(Object.entries(values), ROWS_PER_TURN, ([name, value]) => {
    if (decision.action === 'update' && name === collection.key) {
      throw new Error(`A hook of ${collection.name} sets the key of an existing row`);
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
  if (!field || !isStored(field) || !collection.columns.has(name)) {
    throw new Error(`A hook of ${collection.name} sets ${name}, which is not a stored field of it`);
  }
  if (field.filling !== undefined) {
    throw new Error(`A hook of ${collection.name} sets ${name}, which the service fills in`);
  }
  const cell = refusedValue(value, field, collection) ?? checkValue(value, field, collection);
  if (!(cell instanceof AppError)) return cell;
  throw isNamed(decision, name) ? cell : new FailedValidation({}, { cause: cell });
}
