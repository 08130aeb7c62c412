import type { ScalarType } from '../../access';

/** How one column stands in SQL: names come from the metadata only, values are always parameters. */
export interface Column {
  /** The quoted name. */
  readonly sql: string;
  /** The type that parameters are cast to, without length or precision, which would cut or round them. */
  readonly cast: string;
  readonly type: ScalarType;
  /** What the database fills in where an insert says nothing, as SQL. */
  readonly default?: string;
}

export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const CASTS: Readonly<Record<Exclude<ScalarType, 'array'>, string>> = {
  integer: 'int4',
  bigint: 'int8',
  decimal: 'numeric',
  double: 'float8',
  boolean: 'bool',
  text: 'text',
  enum: 'text',
  uuid: 'uuid',
  date: 'date',
  time: 'time',
  timestamp: 'timestamptz',
  json: 'jsonb',
};

/** @param sqlType the column's type as TypeORM normalises it */
export function castOf(
  type: ScalarType,
  sqlType: string,
  element: Exclude<ScalarType, 'array'> = 'text',
): string {
  if (type === 'array') return `${CASTS[element]}[]`;
  if (type === 'timestamp' && sqlType === 'timestamp without time zone') return 'timestamp';
  return CASTS[type];
}
