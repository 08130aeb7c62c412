import {
  type Cell,
  type Decision,
  type FieldShape,
  isNamed,
  isStored,
  type Misfit,
  parseValue,
  type StoredField,
} from '../../engine';
import {
  AppError,
  FailedValidation,
  Forbidden,
  InvalidPayload,
  NotNullViolation,
  throwIfAny,
  ValueOutOfRange,
  ValueTooLong,
} from '../../common/errors';
import { CONCEALED } from '../compile/compile-cell';
import type { Key, Payload, Values } from '../hooks';
import type { StoredCollection } from '../registry/stored-collection';

/** A payload whose fields exist, may be named and hold values of their type. */
export interface CheckedPayload {
  readonly values: Values;
  /** What was sent for related rows beyond keys: lists, and objects in the place of a key; by field. */
  readonly relations: ReadonlyMap<string, unknown>;
}

/** Every field that the payload sets. */
export const fieldsOf = ({ values, relations }: CheckedPayload): string[] => [
  ...values.keys(),
  ...relations.keys(),
];

/**
 * Checks what was sent against the fields that the decision names and their types.
 * Names come first, all of them: a hidden field must not be recognised by what is said of its neighbours.
 */
export function checkPayload(
  raw: unknown,
  collection: StoredCollection,
  decision: Decision,
): CheckedPayload {
  const payload = asPayload(raw, collection, decision);
  const fields = Object.keys(payload).map((name) => nameField(name, collection, decision));
  const values = new Map<string, Cell>();
  const relations = new Map<string, unknown>();
  const faults: AppError[] = [];
  for (const field of fields) {
    const sent = payload[field.name];
    if (
      !isStored(field) ||
      (field.kind === 'to-one' && typeof sent === 'object' && sent !== null)
    ) {
      relations.set(field.name, sent);
      continue;
    }
    const checked = checkValue(sent, field, collection);
    if (checked instanceof AppError) faults.push(checked);
    else values.set(field.name, checked);
  }
  throwIfAny(faults);
  return { values, relations };
}

/**
 * What was sent, as an object of fields. What a concealed field is shown as is never a value: sent back, it leaves the
 * field as it is. A field that the caller may not name stays, and is refused as one that does not exist.
 */
export function asPayload(raw: unknown, collection: StoredCollection, decision: Decision): Payload {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    throw new InvalidPayload({ reason: 'the body must be an object of fields' });
  }
  const payload = raw as Payload;
  const isMask = (name: string): boolean =>
    payload[name] === CONCEALED &&
    collection.fields.get(name)?.concealed === true &&
    isNamed(decision, name);
  if (!Object.keys(payload).some(isMask)) return payload;
  return Object.fromEntries(Object.entries(payload).filter(([name]) => !isMask(name)));
}

function nameField(name: string, collection: StoredCollection, decision: Decision): FieldShape {
  const field = collection.fields.get(name);
  if (field && isNamed(decision, name)) return field;
  if (decision.unrestricted) {
    throw new InvalidPayload({ field: name, reason: `is no field of ${collection.name}` });
  }
  throw new Forbidden({ collection: collection.name, field: name });
}

function checkValue(
  sent: unknown,
  field: StoredField,
  collection: StoredCollection,
): Cell | AppError {
  if (sent === null || sent === undefined) {
    return field.nullable
      ? null
      : new NotNullViolation({ collection: collection.name, field: field.name });
  }
  const parsed = parseValue(field, sent);
  return 'misfit' in parsed ? misfitError(parsed, field, collection.name) : parsed.value;
}

function misfitError({ misfit, reason }: Misfit, field: StoredField, collection: string): AppError {
  switch (misfit) {
    case 'type':
      return new InvalidPayload({ field: field.name, reason });
    case 'range':
      return new ValueOutOfRange({ collection, field: field.name });
    case 'length':
      return new ValueTooLong({ collection, field: field.name });
    case 'choice':
      return new FailedValidation({ field: field.name, type: 'in', valid: field.choices ?? [] });
  }
}

const isKey = (sent: unknown): sent is Key => typeof sent === 'string' || typeof sent === 'number';

/** A key may stand in the payload of its own row; it is never changed. */
export function withoutKey(payload: Payload, keys: readonly Key[], key: string): Payload {
  if (!Object.hasOwn(payload, key)) return payload;
  const { [key]: sent, ...rest } = payload;
  if (keys.length === 1 && isKey(sent) && String(sent) === String(keys[0])) return rest;
  throw new InvalidPayload({ field: key, reason: 'cannot be changed' });
}
