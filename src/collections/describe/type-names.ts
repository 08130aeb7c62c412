import type { FieldShape, Filling, ScalarType, StoredField } from '../../engine';

/** As clients of this kind of API name them. */
const TYPES: Readonly<Record<Exclude<ScalarType, 'array' | 'text'>, string>> = {
  integer: 'integer',
  bigint: 'bigInteger',
  decimal: 'decimal',
  double: 'float',
  boolean: 'boolean',
  enum: 'string',
  uuid: 'uuid',
  date: 'date',
  time: 'time',
  timestamp: 'timestamp',
  json: 'json',
};

/** As PostgreSQL names them. */
const DATA_TYPES: Readonly<Record<ScalarType, string>> = {
  integer: 'integer',
  bigint: 'bigint',
  decimal: 'numeric',
  double: 'double precision',
  boolean: 'boolean',
  text: 'text',
  enum: 'text',
  uuid: 'uuid',
  date: 'date',
  time: 'time without time zone',
  timestamp: 'timestamp with time zone',
  json: 'jsonb',
  array: 'ARRAY',
};

/** For members of an array: values that are not sent as text make the array plain JSON to clients. */
const NO_TEXTS: readonly ScalarType[] = ['integer', 'bigint', 'double', 'boolean'];

/** No column holds a list, and its type shows that. */
export function typeName(field: FieldShape): string {
  if (field.kind === 'to-many') return 'alias';
  switch (field.type) {
    case 'text':
      return field.maxLength === undefined ? 'text' : 'string';
    case 'array':
      return NO_TEXTS.includes(field.element ?? 'text') ? 'json' : 'csv';
    default:
      return TYPES[field.type];
  }
}

export const dataType = ({ type, maxLength }: StoredField): string =>
  type === 'text' && maxLength !== undefined ? 'character varying' : DATA_TYPES[type];

const FILLINGS: Readonly<Partial<Record<Filling, string>>> = {
  createdAt: 'date-created',
  updatedAt: 'date-updated',
  createdBy: 'user-created',
  updatedBy: 'user-updated',
};

const CASTS: Readonly<Record<string, string>> = {
  boolean: 'cast-boolean',
  json: 'cast-json',
  csv: 'cast-csv',
};

/** The special properties of a field, beside its type; null without any. */
export function specialsOf(field: FieldShape): readonly string[] | null {
  const specials =
    field.kind === 'to-many' ? [field.through ? 'm2m' : 'o2m'] : [...ofStored(field)];
  return specials.length === 0 ? null : specials;
}

function* ofStored(field: StoredField): Iterable<string> {
  const filled = field.filling && FILLINGS[field.filling];
  if (field.kind === 'to-one') yield 'm2o';
  if (filled !== undefined) yield filled;
  if (field.concealed) yield 'conceal';
  const cast = CASTS[typeName(field)];
  if (cast !== undefined) yield cast;
}
