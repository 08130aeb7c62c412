import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import { liveCondition } from '../../database/live-uniques';
import type { Cell, ScalarType } from '../../engine';

export interface SqlType {
  /** The type that parameters are cast to, without length or precision, which would cut or round them. */
  readonly cast: string;
  readonly type: ScalarType;
}

/** How one column stands in SQL: names come from the metadata only, values are always parameters. */
export interface Column extends SqlType {
  /** The quoted name. */
  readonly sql: string;
  /** An index of all rows begins with it, so that rows are found by its value. */
  readonly indexed: boolean;
  /** No two rows that are live hold the same. */
  readonly unique: boolean;
  /** What the database fills in where an insert says nothing, as SQL. */
  readonly default?: string;
}

/** A field that no column holds: an expression in the place of one, or a function of what was read. */
export interface ComputedColumn extends SqlType {
  readonly from: readonly string[];
  /** @param alias of the row */
  readonly sql?: (alias: string) => string;
  readonly value?: (item: Readonly<Record<string, Cell>>) => unknown;
}

/** A column that names a row of another table, or of its own, by that row's key. */
export interface ForeignKey {
  /** The quoted column. */
  readonly sql: string;
  /** The field that it stores; none where it is not exposed. */
  readonly field: string | undefined;
  /** The quoted, schema-qualified table that it leads to. */
  readonly table: string;
  /** What becomes of the row when the one that it names is deleted; `NO ACTION`: that one stays. */
  readonly onDelete: 'CASCADE' | 'SET NULL' | 'SET DEFAULT' | 'NO ACTION';
}

/** One by which the database deletes a row, or empties the column, when the row that it names is deleted. */
export interface Reference extends ForeignKey {
  readonly onDelete: 'CASCADE' | 'SET NULL';
}

/** What the indexes of the declared schema that have all rows that are live do for the column. */
export function indexesOf({
  entityMetadata,
  propertyName,
}: ColumnMetadata): Required<Pick<Column, 'indexed' | 'unique'>> {
  const { primaryColumns, uniques, indices } = entityMetadata;
  const live = liveCondition(entityMetadata);
  const complete = indices.filter(({ where }) => where === undefined || where === live);
  const distinct = [...uniques, ...complete.filter((index) => index.isUnique)];
  const begins = ([first]: readonly ColumnMetadata[]): boolean =>
    first?.propertyName === propertyName;
  return {
    indexed: [primaryColumns, ...[...uniques, ...complete].map(({ columns }) => columns)].some(
      begins,
    ),
    unique: distinct.some(({ columns }) => columns.length === 1 && begins(columns)),
  };
}

const KEY_TYPES: Readonly<Record<string, ScalarType>> = {
  uuid: 'uuid',
  int8: 'bigint',
  bigint: 'bigint',
  ...{ int: 'integer', integer: 'integer', int4: 'integer', smallint: 'integer', int2: 'integer' },
};

/** What a column that holds keys holds, or a key itself. */
export const keyType = (column: ColumnMetadata | undefined): ScalarType =>
  column?.type === Number ? 'integer' : (KEY_TYPES[String(column?.type)] ?? 'text');

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
