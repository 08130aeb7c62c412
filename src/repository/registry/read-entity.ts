import type { DataSource, EntityMetadata } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import { type FieldShape, isStored, type ScalarType, type StoredField } from '../../engine';
import {
  checkDeletedAt,
  collectionName,
  collectionOf,
  deletedAtOf,
  type EntityClass,
  type FieldDeclaration,
  exposedFields,
  type Extension,
  ownProfileOf,
  RegistrationError,
  targetName,
} from '../../common/schema';
import { liveCondition } from '../../database/live-uniques';
import type { StoredCollection } from './stored-collection';
import { castOf, type Column, indexesOf, keyType, quote } from './column';
import { listShape, tablePath } from './list-shape';
import { withComputed } from './read-computed';
import { readWriting, refuseTwoVersions } from './read-writing';
import { foreignKeysOf, isFollowed } from './reference';

type StoredDeclaration = FieldDeclaration & { kind: 'column' | 'to-one' };

/**
 * Reads an entity's metadata and its field descriptions into a collection.
 * @param extensions what modules add to entities
 * @throws RegistrationError with a sentence that says what to do
 */
export function readEntity(
  source: DataSource,
  entity: EntityClass,
  extensions: readonly Extension[] = [],
): StoredCollection {
  const metadata = metadataOf(source, entity);
  const described = describedFields(entity, extensions);
  checkDeletedAt(entity, described, (field) => storedColumn(metadata, field).isNullable);
  const name = collectionName(entity);
  const { singleton, view, about } = collectionOf(entity);
  const { fields, columns } = readFields(source, metadata, described);
  const table = tablePath(metadata);
  const foreignKeys = view ? [] : foreignKeysOf(metadata, columns);
  const deletedAt = deletedAtOf(entity);
  const live = liveCondition(metadata);
  refuseTwoVersions(entity.name, fields.values());
  return {
    name,
    entity,
    key: keyOf(metadata, entity, fields),
    singleton,
    ...(view && { view }),
    ...(about && { about, parts: about.parts }),
    ...(deletedAt !== undefined && { deletedAt }),
    table,
    // Selects read live rows only; PostgreSQL merges the subquery into the statement.
    rows: live === undefined ? table : `(SELECT * FROM ${table} WHERE ${live})`,
    ...withComputed(entity.name, described, { fields, columns, about }),
    columns,
    ownProfile: ownProfileOf(described),
    foreignKeys,
    references: foreignKeys.filter(isFollowed),
  };
}

function metadataOf(source: DataSource, entity: EntityClass): EntityMetadata {
  if (source.hasMetadata(entity)) return source.getMetadata(entity);
  throw new RegistrationError(
    `${entity.name} is registered as a collection but is no entity of the data source: decorate it with @Collection('…').`,
  );
}

function describedFields(
  entity: EntityClass,
  extensions: readonly Extension[],
): ReadonlyMap<string, FieldDeclaration> {
  const described = exposedFields(entity, extensions);
  if (described.size > 0) return described;
  throw new RegistrationError(
    `${entity.name} describes no field: give at least its key one of the decorators of Field, as @Field.key('integer').`,
  );
}

/** All but the computed fields, and the columns of those that are stored. */
function readFields(
  source: DataSource,
  metadata: EntityMetadata,
  described: ReadonlyMap<string, FieldDeclaration>,
): { fields: Map<string, FieldShape>; columns: Map<string, Column> } {
  const fields = new Map<string, FieldShape>();
  const columns = new Map<string, Column>();
  for (const [property, declaration] of described) {
    if (declaration.kind === 'column' || declaration.kind === 'to-one') {
      const column = storedColumn(metadata, property);
      const shape = storedShape(property, declaration, column);
      fields.set(property, {
        ...shape,
        ...readWriting(shape, declaration, `${metadata.name}.${property}`),
      });
      columns.set(property, sqlColumn(source, fields.get(property), column));
    } else if (declaration.kind !== 'computed') {
      fields.set(property, listShape(metadata, property, declaration));
    }
  }
  return { fields, columns };
}

const KEYS: ReadonlySet<ScalarType> = new Set(['integer', 'bigint', 'uuid', 'text']);

function keyOf(
  metadata: EntityMetadata,
  entity: EntityClass,
  fields: ReadonlyMap<string, FieldShape>,
): string {
  const [key, second] = metadata.primaryColumns;
  if (!key || second) {
    throw new RegistrationError(
      `${entity.name} must have one key column, and it has ${metadata.primaryColumns.length}: a row is addressed by one value.`,
    );
  }
  const field = fields.get(key.propertyName);
  if (!field) {
    throw new RegistrationError(
      `${entity.name} does not describe its key ${key.propertyName}: decorate it with @Field.key.`,
    );
  }
  if (!isStored(field) || !KEYS.has(field.type)) {
    throw new RegistrationError(
      `${entity.name} has a key that is no integer, bigint, uuid or text: ${key.propertyName} cannot stand in a path, nor be referred to.`,
    );
  }
  return key.propertyName;
}

function storedColumn(metadata: EntityMetadata, property: string): ColumnMetadata {
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

function storedShape(
  name: string,
  declaration: StoredDeclaration,
  column: ColumnMetadata,
): StoredField {
  const common = {
    name,
    nullable: column.isNullable,
    hasDefault: isFilled(declaration) || column.default !== undefined || column.isGenerated,
    ...boundsOf(declaration, column),
  };
  if (declaration.kind === 'column') {
    const { type, concealed, choices, element } = declaration;
    return {
      kind: 'column',
      type,
      concealed,
      ...common,
      ...rangeOf(type, column),
      ...(choices && { choices }),
      ...(element && { element }),
    };
  }
  const target = targetName(declaration.target);
  const type = keyType(column.referencedColumn);
  const isConstrained = column.relationMetadata?.createForeignKeyConstraints !== false;
  return {
    ...{ kind: 'to-one', type, concealed: false, target, ...common, ...rangeOf(type, column) },
    ...(!isConstrained && { unconstrained: true }),
  };
}

const isFilled = ({ filled, writing = [] }: StoredDeclaration): boolean =>
  filled || writing.some((option) => option !== 'readOnly' && option !== 'writeOnce');

function boundsOf(
  declaration: StoredDeclaration,
  column: ColumnMetadata,
): { maxLength?: number; precision?: number; scale?: number } {
  const type = declaration.kind === 'column' ? declaration.type : undefined;
  return {
    ...(type === 'text' && column.length && { maxLength: Number(column.length) }),
    ...(type === 'decimal' &&
      column.precision && { precision: column.precision, scale: column.scale ?? 0 }),
  };
}

function rangeOf(type: string, column: ColumnMetadata): { range?: { min: bigint; max: bigint } } {
  const bits =
    column.type === 'smallint' || column.type === 'int2' ? 15n : type === 'bigint' ? 63n : 31n;
  return type === 'integer' || type === 'bigint'
    ? { range: { min: -(2n ** bits), max: 2n ** bits - 1n } }
    : {};
}

function sqlColumn(
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
  const name = quote(enumName ?? `${tableName}_${databaseName.toLowerCase()}_enum`);
  return schema ? `${quote(schema)}.${name}` : name;
}
