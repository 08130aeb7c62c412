import { defineError } from './define-error';

interface Reason {
  /** What is wrong with it: `must be a whole number`. Never a stored or submitted value. */
  reason: string;
  /** What is wrong: a field, a parameter, a path into one. */
  field?: string;
}

const fault = ({ field, reason }: Reason): string =>
  field === undefined ? reason : `"${field}" ${reason}`;

export interface FieldReference {
  collection?: string;
  field?: string;
}

interface Validation {
  field?: string;
  /** The operator or constraint that does not hold: `gte`, `required`, `regex` … */
  type?: string;
  /** What would hold: the bound, the list, the length. */
  valid?: unknown;
}

const at = ({ collection, field }: FieldReference): string => {
  if (field === undefined) return '';
  return collection === undefined
    ? ` in field "${field}"`
    : ` in field "${field}" of "${collection}"`;
};

export const InvalidPayload = defineError<Reason>(
  'INVALID_PAYLOAD',
  400,
  (details) => `Invalid payload: ${fault(details)}.`,
);

export const FailedValidation = defineError<Validation>(
  'FAILED_VALIDATION',
  400,
  ({ field, type }) => {
    if (field === undefined) return 'Validation failed.';
    const rule = type === undefined ? '' : `: ${type}`;
    return `Validation failed for field "${field}"${rule}.`;
  },
);

export const InvalidQuery = defineError<Reason>(
  'INVALID_QUERY',
  400,
  (details) => `Invalid query: ${fault(details)}.`,
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
  (place) => `The item was changed since the version${at(place)} that was sent was read.`,
);
