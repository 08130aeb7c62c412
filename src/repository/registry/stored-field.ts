import type { DataSource, EntityMetadata } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import type { FieldShape, ScalarType, StoredField, ValueBounds } from '../../engine';
import { type FieldDeclaration, RegistrationError, targetName } from '../../common/schema';
import { castOf, type Column, indexesOf, keyType } from './column';
import { quote } from '../../database/quote';

type StoredDeclaration = FieldDeclaration & { kind: 'column' | 'to-one' };

/** The column of a field, or of the key with which it refers. @throws RegistrationError where there is none */
export function storedColumn(metadata: EntityMetadata, property: string): ColumnMetadata {
  const column =
    metadata.findColumnWithPropertyName(property) ??
    metadata.findRelationWithPropertyPath(property)?.joinColumns[0];
  if (!column) {
    throw new RegistrationError(
      `${metadata.name}.${property} is described as a field but has no column.`,
    );
  }
  return column;
}

export function storedShape(
  name: string,
  declaration: StoredDeclaration,
  column: ColumnMetadata,
): StoredField {
  const common = {
    name,
    nullable: column.isNullable,
    hasDefault: isFilled(declaration) || column.default !== undefined || column.isGenerated,
    ...(declaration.adminOnly && { adminOnly: true as const }),
  };
  if (declaration.kind === 'column') {
    const { type, concealed, choices, element } = declaration;
    return {
      kind: 'column',
      type,
      concealed,
      ...common,
      ...boundsOf(type, column),
      ...(choices && { choices }),
      ...(element && { element }),
    };
  }
  const target = targetName(declaration.target);
  const type = keyType(column.referencedColumn);
  const isConstrained = column.relationMetadata?.createForeignKeyConstraints !== false;
  return {
    kind: 'to-one',
    type,
    concealed: false,
    target,
    ...common,
    ...boundsOf(type, column),
    ...(!isConstrained && { unconstrained: true }),
  };
}

const isFilled = ({ filled, writing = [] }: StoredDeclaration): boolean =>
  filled || writing.some((option) => option !== 'readOnly' && option !== 'writeOnce');

function boundsOf(type: ScalarType, column: ColumnMetadata): ValueBounds {
  return {
    ...(type === 'text' && column.length && { maxLength: Number(column.length) }),
    ...(type === 'decimal' &&
      column.precision && { precision: column.precision, scale: column.scale ?? 0 }),
    ...((type === 'time' || type === 'timestamp') &&
      typeof column.precision === 'number' && { secondDigits: column.precision }),
    ...rangeOf(type, column),
  };
}

function rangeOf(type: ScalarType, column: ColumnMetadata): Pick<ValueBounds, 'range'> {
  if (type !== 'integer' && type !== 'bigint') return {};
  const bits = bitsOf(type, column);
  return { range: { min: -(2n ** bits), max: 2n ** bits - 1n } };
}

function bitsOf(type: 'integer' | 'bigint', column: ColumnMetadata): bigint {
  if (column.type === 'smallint' || column.type === 'int2') return 15n;
  return type === 'bigint' ? 63n : 31n;
}

export function sqlColumn(
  source: DataSource,
  field: FieldShape | undefined,
  column: ColumnMetadata,
): Column {
  if (!field || field.kind === 'to-many') throw new Error(`${column.propertyName} is not stored`);
  const filled = source.driver.normalizeDefault(column);
  return {
    ...(filled !== undefined && { default: filled }),
    sql: quote(column.databaseName),
    type: field.type,
    ...indexesOf(column),
    cast: column.type === 'enum' ? enumType(column) : castFor(field, String(column.type)),
  };
}

const castFor = (field: StoredField, sqlType: string): string =>
  castOf(
    field.type,
    sqlType === 'timestamp' ? 'timestamp without time zone' : sqlType,
    field.element ?? 'text',
  );

/** An enum type of the database: text cannot be compared with it. */
function enumType({ enumName, entityMetadata, databaseName }: ColumnMetadata): string {
  const { schema, tableName } = entityMetadata;
  const name = enumName ?? `${tableName}_${databaseName.toLowerCase()}_enum`;
  const path = schema && !name.includes('.') ? `${schema}.${name}` : name;
  return path.split('.').map(quote).join('.');
}
