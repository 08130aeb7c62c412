import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import { liveCondition } from '../../database/live-uniques';
import type { Cell, ScalarType } from '../../engine';

export interface SqlType {
  /** The type that parameters are cast to, without length or precision, which would cut or round them. */
  readonly cast: string;
  readonly type: ScalarType;
}

/** How one column is written in SQL: names come from the metadata only, values are always parameters. */
export interface Column extends SqlType {
  /** The quoted name. */
  readonly sql: string;
  /** An index over all rows begins with this column, so that rows can be found by its value. */
  readonly indexed: boolean;
  /** No two live rows hold the same value. */
  readonly unique: boolean;
  /** The default of the column, as SQL. */
  readonly default?: string;
}

/** A field without a column: an SQL expression, or a function of other fields. */
export interface ComputedColumn extends SqlType {
  readonly from: readonly string[];
  /** @param alias of the row */
  readonly sql?: (alias: string) => string;
  readonly value?: (item: Readonly<Record<string, Cell>>) => unknown;
}

/** A column that holds the key of a row of another table, or of its own. */
export interface ForeignKey {
  /** The quoted column. */
  readonly sql: string;
  /** The field that it stores; none where it is not exposed. */
  readonly field: string | undefined;
  /** The quoted, schema-qualified table it refers to. */
  readonly table: string;
  /** What happens to the row when the row it refers to is deleted; `NO ACTION`: that delete is refused. */
  readonly onDelete: 'CASCADE' | 'SET NULL' | 'SET DEFAULT' | 'NO ACTION';
}

/** A foreign key through which the database deletes the row, or clears the column, when its target is deleted. */
export interface Reference extends ForeignKey {
  readonly onDelete: 'CASCADE' | 'SET NULL';
}

/** What the column gains from the declared schema's indexes over all live rows. */
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
  int: 'integer',
  integer: 'integer',
  int4: 'integer',
  smallint: 'integer',
  int2: 'integer',
};

/** The type of the keys that a column holds, or of a key itself. */
export const keyType = (column: ColumnMetadata | undefined): ScalarType =>
  column?.type === Number ? 'integer' : (KEY_TYPES[String(column?.type)] ?? 'text');

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
