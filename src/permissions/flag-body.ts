import { InvalidPayload } from '../common/errors';
import { isRecord } from '../common/is-object';
import type { Payload } from '../repository';
import { readFlaggedFields } from './flag-fields';
import { has } from './flag-parts';
import { readFlaggedStatus } from './flag-status';
import type { FieldNames } from './permission-payload';
import type { StoredRule } from './stored-rules';

const ACTION_FLAGS = ['create', 'read', 'update', 'delete', 'comment'] as const;
type FlaggedAction = (typeof ACTION_FLAGS)[number];

const OTHERS = [
  'status',
  'read_field_blacklist',
  'write_field_blacklist',
  'status_blacklist',
] as const;
/** Properties that are allowed together with the flags. */
const PLAIN = ['collection', 'policy', 'role', 'explain', 'id'];

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
 * Turns a body of flags into the properties of a rule:
 *
 *     { collection: 'articles', policy, read: true, status: 'draft' }
 *     { collection: 'articles', policy, action: 'read', fields: ['*'], permissions: { status: { _eq: 'draft' } } }
 *
 * @param updated the rules that are updated; undefined for a new rule
 * @param fieldsOf the fields that a collection has
 * @returns the payload itself where it has none of these properties
 * @throws InvalidPayload that names the property
 */
export function readFlags(
  payload: Payload,
  updated: readonly StoredRule[] | undefined,
  fieldsOf: FieldNames,
): Payload {
  if (!isFlagBody(payload)) return payload;
  refuseOthers(payload);
  const action = readAction(payload, updated?.map((rule) => rule.action) ?? []);
  const collection =
    payload['collection'] ?? commonValue(updated?.map((rule) => rule.collection) ?? []);
  const isMixed = updated !== undefined && collection === undefined;
  const fields = fieldsOf(collection);
  const plain = Object.entries(payload).filter(([name]) => PLAIN.includes(name));
  return {
    ...Object.fromEntries(plain),
    action,
    ...(updated === undefined && { fields: ['*'] }),
    ...readFlaggedFields(payload, action, { isMixed, fields }),
    ...readFlaggedStatus(payload, action, { fields, updated: updated ?? [] }),
  };
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
