import type { DataSource, EntityMetadata } from 'typeorm';
import { type FieldShape, isStored, type ScalarType } from '../../engine';
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
} from '../../common/schema';
import { liveCondition } from '../../database/live-uniques';
import type { StoredCollection } from './stored-collection';
import type { Column } from './column';
import { listShape, tablePath } from './list-shape';
import { withComputed } from './read-computed';
import { readWriting, refuseTwoVersions } from './read-writing';
import { foreignKeysOf, isFollowed } from './reference';
import { sqlColumn, storedColumn, storedShape } from './stored-field';

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
        ...readWriting(shape, declaration, `${metadata.name}.${property}`, column.default),
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
      `${entity.name} has the key ${key.propertyName}, which is not an integer, bigint, uuid or text: it could not be used in paths and references.`,
    );
  }
  return key.propertyName;
}
