import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import type { ScalarType } from '../../engine';

/** How one column stands in SQL: names come from the metadata only, values are always parameters. */
export interface Column {
  /** The quoted name. */
  readonly sql: string;
  /** The type that parameters are cast to, without length or precision, which would cut or round them. */
  readonly cast: string;
  readonly type: ScalarType;
  /** An index of all rows begins with it, so that rows are found by its value. */
  readonly indexed: boolean;
  /** What the database fills in where an insert says nothing, as SQL. */
  readonly default?: string;
}

/** A column by which the database deletes a row, or empties the column, when the row that it names is deleted. */
export interface Reference {
  /** The quoted column. */
  readonly sql: string;
  /** The field that it stores; none where it is not exposed. */
  readonly field: string | undefined;
  /** The quoted, schema-qualified table that it leads to. */
  readonly table: string;
  readonly onDelete: 'CASCADE' | 'SET NULL';
}

/** Whether the declared schema has an index that begins with the column. */
export function isIndexed({ entityMetadata, propertyName }: ColumnMetadata): boolean {
  const { primaryColumns, uniques, indices } = entityMetadata;
  const complete = indices.filter((index) => index.where === undefined);
  return [primaryColumns, ...[...uniques, ...complete].map(({ columns }) => columns)].some(
    ([first]) => first?.propertyName === propertyName,
  );
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
