import {
  type Cell,
  type FieldShape,
  type Misfit,
  parseValue,
  roundsBeyondLast,
  type StoredField,
  textOf,
  type Value,
} from '../../../engine';
import {
  type AppError,
  FailedValidation,
  InvalidPayload,
  NotNullViolation,
  ValueOutOfRange,
  ValueTooLong,
} from '../../../common/errors';
import type { StoredCollection } from '../../registry/stored-collection';
import { limitFault } from '../../registry/limit-fault';

/** An empty key is refused: no path could name its row. */
export function refusedValue(
  sent: unknown,
  { name }: FieldShape,
  { key }: StoredCollection,
): AppError | undefined {
  return sent === '' && name === key
    ? new FailedValidation({ field: name, type: 'required' })
    : undefined;
}

/** @returns the canonical value, or what is wrong with it */
export function checkValue(
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
  if ('misfit' in parsed) return misfitError(parsed, field, collection.name);
  if (roundsBeyondRange(field, parsed.value)) {
    return new ValueOutOfRange({ collection: collection.name, field: field.name });
  }
  const fault = limitFault(field, parsed.value);
  return fault ? new FailedValidation({ field: field.name, ...fault }) : parsed.value;
}

/** Only of a value to store: as an operand it is compared as it was sent. */
const roundsBeyondRange = (field: StoredField, value: Value): boolean =>
  'secondDigits' in field &&
  field.secondDigits !== undefined &&
  roundsBeyondLast(textOf(value), field.secondDigits);

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
