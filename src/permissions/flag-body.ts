import { InvalidPayload } from '../common/errors';
import { isRecord } from '../common/is-object';
import type { Payload } from '../repository';
import type { FieldNames } from './permission-payload';

const ACTION_FLAGS = ['create', 'read', 'update', 'delete', 'comment'] as const;
type FlaggedAction = (typeof ACTION_FLAGS)[number];

const LISTS = ['read_field_blacklist', 'write_field_blacklist', 'status_blacklist'] as const;
const OTHERS = ['status', ...LISTS] as const;
/** Properties that are allowed together with the flags. */
const PLAIN = ['collection', 'policy', 'role', 'explain', 'id'];

const has = (payload: Payload, name: string): boolean => Object.hasOwn(payload, name);

const isFlagBody = (payload: Payload): boolean =>
  [...ACTION_FLAGS, ...OTHERS].some((name) => has(payload, name));

/**
 * Splits a body of flags that allows several actions into one for each, since a rule has one action.
 * @returns the body itself where it is no body of flags, or names one action
 */
export function splitActions(body: unknown): unknown {
  if (!isRecord(body)) return body;
  const actions = ACTION_FLAGS.filter((name) => body[name] === true);
  if (actions.length < 2) return body;
  const rest = Object.entries(body).filter(([name]) => !actions.includes(name as FlaggedAction));
  return actions.map((action) => ({ ...Object.fromEntries(rest), [action]: true }));
}

/**
 * Turns a body of flags into the properties of a rule.
 * @param updated the rules that are updated; none for a new rule
 * @param fieldsOf the fields that a collection has
 */
export function readFlags(
  payload: Payload,
  updated: readonly StoredAction[] | undefined,
  fieldsOf: FieldNames,
): Payload {
  if (!isFlagBody(payload)) return payload;
  refuseOthers(payload);
  const action = readAction(payload, updated?.map((rule) => rule.action) ?? []);
  const collection =
    payload['collection'] ?? commonValue(updated?.map((rule) => rule.collection) ?? []);
  const plain = Object.fromEntries(
    Object.entries(payload).filter(([name]) => PLAIN.includes(name)),
  );
  return {
    ...plain,
    action,
    ...readFields(payload, action, updated !== undefined, () =>
      updated && collection === undefined ? undefined : fieldsOf(collection),
    ),
    ...readStatus(payload, action),
  };
}

interface StoredAction {
  readonly action: string;
  readonly collection: string;
}

/** The value that all of them have; undefined where they differ. */
const commonValue = ([first, ...others]: readonly string[]): string | undefined =>
  others.every((other) => other === first) ? first : undefined;

function refuseOthers(payload: Payload): void {
  const known: readonly string[] = [...ACTION_FLAGS, ...OTHERS, ...PLAIN];
  const field = Object.keys(payload).find((name) => !known.includes(name));
  if (field !== undefined)
    throw new InvalidPayload({ field, reason: 'cannot be combined with flags' });
}

function readAction(payload: Payload, updated: readonly string[]): string {
  for (const field of ACTION_FLAGS) {
    if (has(payload, field) && typeof payload[field] !== 'boolean') {
      throw new InvalidPayload({ field, reason: 'must be true or false' });
    }
  }
  const [action, second] = ACTION_FLAGS.filter((name) => payload[name] === true);
  if (second !== undefined)
    throw new InvalidPayload({ field: second, reason: 'is a second action: a rule has only one' });
  if (action !== undefined) return action;
  const field = updated.find((own) => payload[own] === false);
  if (field !== undefined)
    throw new InvalidPayload({
      field,
      reason: 'is the action of the rule: delete the rule instead',
    });
  const own = commonValue(updated);
  if (own === undefined)
    throw new InvalidPayload({ field: 'action', reason: 'needs one flag that is true' });
  return own;
}

/** The list of denied fields that an action has. */
function listOf(action: string): (typeof LISTS)[number] | undefined {
  if (action === 'read') return 'read_field_blacklist';
  return action === 'create' || action === 'update' ? 'write_field_blacklist' : undefined;
}

/** Without a list of denied fields all are granted; an update that names no fields leaves them unchanged. */
function readFields(
  payload: Payload,
  action: string,
  update: boolean,
  all: () => readonly string[] | undefined,
): Payload {
  const list = listOf(action);
  for (const name of LISTS) if (has(payload, name)) readNames(payload, name);
  if (list === undefined || !has(payload, list)) return update ? {} : { fields: ['*'] };
  const denied = readNames(payload, list);
  const fields = all();
  if (!fields) throw new InvalidPayload({ field: list, reason: 'needs rules of one collection' });
  const unknown = denied.find((name) => !fields.includes(name));
  if (unknown !== undefined)
    throw new InvalidPayload({
      field: list,
      reason: `names the field "${unknown}", which does not exist`,
    });
  return { fields: denied.length === 0 ? ['*'] : fields.filter((name) => !denied.includes(name)) };
}

function readNames(payload: Payload, field: string): string[] {
  const sent = payload[field];
  if (Array.isArray(sent) && sent.every((name) => typeof name === 'string')) return sent;
  throw new InvalidPayload({ field, reason: 'must be a list of strings' });
}

/** A required status is a condition on the row; a denied one is a condition on the row or on the written values. */
function readStatus(payload: Payload, action: string): Payload {
  const { status } = payload;
  if (has(payload, 'status') && typeof status !== 'string') {
    throw new InvalidPayload({ field: 'status', reason: 'must be a string' });
  }
  const denied = has(payload, 'status_blacklist') ? readNames(payload, 'status_blacklist') : [];
  const demanded = typeof status === 'string' ? { _eq: status } : {};
  const excluded = denied.length > 0 ? { _nin: denied } : {};
  const writes = action === 'create' || action === 'update';
  return {
    ...condition('permissions', writes ? demanded : { ...demanded, ...excluded }),
    ...condition('validation', writes ? excluded : {}),
  };
}

const condition = (name: string, operators: object): Payload =>
  Object.keys(operators).length === 0 ? {} : { [name]: { status: operators } };
