import type { ScalarType, StoredField } from '../engine';
import type { JsonSchema } from '../common/request/describe.decorator';
import { orNull } from '../common/request/json-schema';

type ScalarSchemas = Readonly<Record<Exclude<ScalarType, 'array'>, JsonSchema>>;

/** Schemas of values in answers. */
const OUTPUT: ScalarSchemas = {
  integer: { type: 'integer', format: 'int32' },
  bigint: {
    type: ['integer', 'string'],
    description: 'A text where a number would lose digits.',
  },
  decimal: { type: 'string', format: 'decimal' },
  double: { type: 'number', format: 'double' },
  boolean: { type: 'boolean' },
  text: { type: 'string' },
  enum: { type: 'string' },
  uuid: { type: 'string', format: 'uuid' },
  date: { type: 'string', format: 'date' },
  time: { type: 'string', description: '`hh:mm:ss`, with a fraction where there is one.' },
  timestamp: { type: 'string', format: 'date-time' },
  json: {},
};

/** Schemas of values in requests, where more is accepted than is answered. */
const INPUT: ScalarSchemas = {
  ...OUTPUT,
  decimal: { type: ['string', 'number'], format: 'decimal' },
  timestamp: {
    type: 'string',
    description: 'RFC 3339; without an offset in UTC, a date alone is its midnight.',
  },
};

const CONCEALED_VALUE: JsonSchema = {
  type: ['string', 'null'],
  description: 'Never shown: `**********` where there is one.',
};

/** The schema of a column's value in answers. */
export function shownValue(field: StoredField): JsonSchema {
  if (field.concealed) return CONCEALED_VALUE;
  const schema = valueOf(field, OUTPUT);
  return field.nullable ? orNull(schema) : schema;
}

/** The same for a field that is granted in some rows only: in the others it is null. */
export const maskedValue = (field: StoredField): JsonSchema =>
  shownValue({ ...field, nullable: true });

/** What a request must send for a field, beyond what its column demands. */
export interface InputDemands {
  /** It may be neither null nor empty, although the column takes that. */
  readonly nonEmpty?: boolean | undefined;
}

/** The schema of a column's value in requests. */
export function sentValue(field: StoredField, { nonEmpty }: InputDemands): JsonSchema {
  const schema = { ...valueOf(field, INPUT), ...lengthOf(field), ...limitsOf(field) };
  if (nonEmpty) return field.type === 'text' ? { ...schema, minLength: 1 } : schema;
  if (field.nullable) return orNull(schema);
  // Schemas of all other types already exclude null.
  return field.type === 'json' ? { ...schema, not: { type: 'null' } } : schema;
}

/** The schema of a value that is not null, made of the schemas of scalars. */
function valueOf(
  { type, element = 'text', choices }: StoredField,
  scalars: ScalarSchemas,
): JsonSchema {
  const one = (scalar: keyof ScalarSchemas): JsonSchema => ({
    ...scalars[scalar],
    ...(choices && { enum: choices }),
  });
  return type === 'array' ? { type: 'array', items: one(element) } : one(type);
}

/** A length limits a text; that of a list would limit its members. */
const lengthOf = ({ type, maxLength }: StoredField): JsonSchema =>
  type !== 'array' && maxLength !== undefined ? { maxLength } : {};

function limitsOf({ limits = {}, type }: StoredField): JsonSchema {
  const { min, max, pattern, email } = limits;
  // JSON Schema cannot express the bounds of dates and decimals, which are strings.
  const texts = [
    typeof min === 'string' ? `At least ${min}.` : '',
    typeof max === 'string' ? `At most ${max}.` : '',
    pattern !== undefined && !isJavaScriptPattern(pattern) ? `Matches \`${pattern}\` (RE2).` : '',
  ].filter((text) => text !== '');
  return {
    ...(typeof min === 'number' && { minimum: min }),
    ...(typeof max === 'number' && { maximum: max }),
    ...(pattern !== undefined && isJavaScriptPattern(pattern) && { pattern }),
    ...(email && type === 'text' && { format: 'email' }),
    ...(texts.length > 0 && { description: texts.join(' ') }),
  };
}

/** Patterns of JSON Schema are regular expressions of JavaScript. */
function isJavaScriptPattern(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u').source !== '';
  } catch {
    return false;
  }
}
