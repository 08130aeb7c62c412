import type { StoredField } from '../../engine';
import type { StoredCollection } from '../../repository/registry/stored-collection';
import type { RelationDescription } from './relation-description';
import { dataType } from './type-names';

/** Tables and columns are named after collections and fields. */
export interface ColumnDescription {
  readonly name: string;
  readonly table: string;
  /** As PostgreSQL names it. */
  readonly data_type: string;
  /** A plain value; null where the database computes it. */
  readonly default_value: string | number | boolean | null;
  readonly max_length: number | null;
  readonly numeric_precision: number | null;
  readonly numeric_scale: number | null;
  readonly is_nullable: boolean;
  readonly is_unique: boolean;
  readonly is_indexed: boolean;
  readonly is_primary_key: boolean;
  readonly is_generated: boolean;
  readonly has_auto_increment: boolean;
  readonly foreign_key_table: string | null;
  readonly foreign_key_column: string | null;
  readonly comment: null;
}

/** @param relations the described ones: a foreign key to a hidden collection is not shown */
export function describeColumn(
  { name, key, columns }: StoredCollection,
  field: StoredField,
  relations: readonly RelationDescription[],
): ColumnDescription {
  const column = columns.get(field.name);
  const isKey = field.name === key;
  const relation = relations.find(
    (each) => each.collection === name && each.field === field.name && each.schema,
  );
  return {
    name: field.name,
    table: name,
    data_type: dataType(field),
    default_value: plainDefault(column?.default),
    max_length: field.maxLength ?? null,
    numeric_precision: field.precision ?? null,
    numeric_scale: field.scale ?? null,
    is_nullable: field.nullable,
    is_unique: isKey || column?.unique === true,
    is_indexed: column?.indexed === true,
    is_primary_key: isKey,
    is_generated: column === undefined,
    has_auto_increment: isKey && field.hasDefault && field.type !== 'uuid',
    foreign_key_table: relation?.schema?.foreign_key_table ?? null,
    foreign_key_column: relation?.schema?.foreign_key_column ?? null,
    comment: null,
  };
}

/** @param sql `'draft'`, `7`, `false`, `now()` … */
function plainDefault(sql: string | undefined): string | number | boolean | null {
  if (sql === 'true' || sql === 'false') return sql === 'true';
  if (sql !== undefined && /^-?\d{1,15}$/.test(sql)) return Number(sql);
  const text = /^'((?:[^']|'')*)'$/.exec(sql ?? '')?.[1];
  return text?.replaceAll("''", "'") ?? null;
}
