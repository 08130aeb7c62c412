import { defineError } from './define-error';

/** The details of `InvalidPayload` and `InvalidQuery`. */
export interface FieldReason {
  /** What is wrong, to follow the field's name: `must be a whole number`. Never a stored or submitted value. */
  reason: string;
  /** Where: a field, a parameter, or a path into one. */
  field?: string;
}

/** As a sentence; a reason may already end with a full stop or the like. Without details it names no reason. */
function fault(what: string, { field, reason }: Partial<FieldReason>): string {
  if (reason === undefined) return `${what}.`;
  const text = `${what}: ${field === undefined ? reason : `"${field}" ${reason}`}`;
  return /[.?!]$/.test(text) ? text : `${text}.`;
}

/** The details of `Forbidden`. */
export interface FieldReference {
  collection?: string;
  field?: string;
}

/** The details of `FailedValidation`. */
export interface FailedConstraint {
  field?: string;
  /** The violated operator or constraint: `gte`, `required`, `regex` … */
  type?: string;
  /** What would be valid: the bound, the list of values, the length. */
  valid?: unknown;
}

const at = ({ collection, field }: FieldReference): string => {
  if (field === undefined) return '';
  return collection === undefined
    ? ` in field "${field}"`
    : ` in field "${field}" of "${collection}"`;
};

/**
 * 400 INVALID_PAYLOAD: the body is malformed, or a value has the wrong type.
 *
 *     throw new InvalidPayload({ field: 'total', reason: 'must be a whole number' });
 *     // Invalid payload: "total" must be a whole number.
 */
export const InvalidPayload = defineError<FieldReason>('INVALID_PAYLOAD', 400, (details) =>
  fault('Invalid payload', details),
);

/** Clients look for exactly this message, and then send the query itself. */
export const PersistedQueryNotSupported = defineError(
  'INVALID_PAYLOAD',
  400,
  'PersistedQueryNotSupported',
);

/**
 * 400 FAILED_VALIDATION: a value has the right type, and breaks a rule, a bound or a constraint.
 *
 *     throw new FailedValidation({ field: 'total', type: 'gte', valid: 0 });
 *     // Validation failed for field "total": gte.
 */
export const FailedValidation = defineError<FailedConstraint>(
  'FAILED_VALIDATION',
  400,
  ({ field, type }) => {
    if (field === undefined) return 'Validation failed.';
    const rule = type === undefined ? '' : `: ${type}`;
    return `Validation failed for field "${field}"${rule}.`;
  },
);

/**
 * 400 INVALID_QUERY: a query parameter is unknown or has a wrong value.
 *
 *     throw new InvalidQuery({ field: 'limit', reason: 'must be at most 100' });
 *     // Invalid query: "limit" must be at most 100.
 */
export const InvalidQuery = defineError<FieldReason>('INVALID_QUERY', 400, (details) =>
  fault('Invalid query', details),
);

export const InvalidForeignKey = defineError<FieldReference>(
  'INVALID_FOREIGN_KEY',
  400,
  (place) => `Invalid foreign key${at(place)}.`,
);

interface FieldsReference extends FieldReference {
  /** Several fields that have to be unique together. */
  fields?: readonly string[];
}

export const RecordNotUnique = defineError<FieldsReference>('RECORD_NOT_UNIQUE', 400, (place) => {
  if (!place.fields) return `Value${at(place)} has to be unique.`;
  const fields = place.fields.map((field) => `"${field}"`).join(', ');
  return `The values in fields ${fields} of "${place.collection}" have to be unique together.`;
});

export const ValueTooLong = defineError<FieldReference>(
  'VALUE_TOO_LONG',
  400,
  (place) => `Value${at(place)} is too long.`,
);

export const ValueOutOfRange = defineError<FieldReference>(
  'VALUE_OUT_OF_RANGE',
  400,
  (place) => `Numeric value${at(place)} is out of range.`,
);

export const NotNullViolation = defineError<FieldReference>(
  'NOT_NULL_VIOLATION',
  400,
  (place) => `Value${at(place)} can't be null.`,
);

interface Item extends FieldReference {
  key?: string | number;
}

export const VersionConflict = defineError<Item>(
  'VERSION_CONFLICT',
  409,
  'The item has been changed since you read the version you sent.',
);
