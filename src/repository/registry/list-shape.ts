import type { EntityMetadata } from 'typeorm';
import type { RelationMetadata } from 'typeorm/metadata/RelationMetadata.js';
import type { JunctionShape, ToManyShape } from '../../engine';
import { type FieldDeclaration, RegistrationError, targetName } from '../../common/schema';
import type { StoredCollection } from './stored-collection';
import { castOf, type Column, indexesOf, keyType } from './column';
import { quote } from '../../database/quote';

/** The quoted table, with its schema if it has one of its own. */
export const tablePath = (metadata: EntityMetadata): string =>
  metadata.schema
    ? `${quote(metadata.schema)}.${quote(metadata.tableName)}`
    : quote(metadata.tableName);

/**
 * The shape of a list of related rows.
 * @throws RegistrationError where the declaration does not fit the entities
 */
export function listShape(
  metadata: EntityMetadata,
  name: string,
  declaration: FieldDeclaration & { kind: 'one-to-many' | 'many-to-many' },
): ToManyShape {
  const list = {
    kind: 'to-many',
    name,
    concealed: false,
    target: targetName(declaration.target),
  } as const;
  if (declaration.kind === 'one-to-many') return { ...list, foreignKey: declaration.foreignKey };
  const { junction } = declaration;
  if (!junction) return { ...list, through: implicitThrough(metadata, name) };
  const collection = targetName(junction.collection);
  return {
    ...list,
    through: { collection, foreignKey: junction.near, targetForeignKey: junction.far },
  };
}

function implicitThrough(metadata: EntityMetadata, name: string): JunctionShape {
  const relation = metadata.findRelationWithPropertyPath(name);
  const junction = relation && junctionOf(relation);
  if (!junction)
    throw new RegistrationError(
      `${metadata.name}.${name} is described as many-to-many but has no junction table: if it is the inverse side of another list, name that list.`,
    );
  const { ownerColumns, inverseColumns } = junction;
  const [foreignKey, targetForeignKey] = relation.isOwning
    ? [ownerColumns[0], inverseColumns[0]]
    : [inverseColumns[0], ownerColumns[0]];
  if (!foreignKey || !targetForeignKey)
    throw new RegistrationError(`${metadata.name}.${name} has a junction table without keys.`);
  if ([foreignKey, targetForeignKey].some((column) => column.referencedColumn?.isPrimary !== true))
    throw new RegistrationError(
      `${metadata.name}.${name} links rows by other columns than their keys: leave referencedColumnName out, or give the links a collection of their own.`,
    );
  return {
    collection: junctionName(junction),
    foreignKey: foreignKey.propertyName,
    targetForeignKey: targetForeignKey.propertyName,
  };
}

/** The owning side declares the junction table; the other side refers to its owner. */
const junctionOf = (relation: RelationMetadata): EntityMetadata | undefined =>
  relation.junctionEntityMetadata ?? relation.inverseRelation?.junctionEntityMetadata;

/** No collection can have this name: a junction table is reached only through its lists. */
const junctionName = (junction: EntityMetadata): string => `junction ${junction.tablePath}`;

/**
 * The junction tables that TypeORM maintains for an entity's lists, as collections that no rule can name: a grant of
 * the list includes its links.
 */
export function implicitJunctions(
  metadata: EntityMetadata,
  lists: Iterable<ToManyShape>,
): StoredCollection[] {
  return [...lists].flatMap(({ name }) => {
    const relation = metadata.findRelationWithPropertyPath(name);
    const junction = relation && junctionOf(relation);
    return junction ? [junctionCollection(junctionName(junction), junction)] : [];
  });
}

function junctionCollection(name: string, metadata: EntityMetadata): StoredCollection {
  const columns = metadata.columns.map((column): [string, Column] => {
    const type = keyType(column);
    const sql = quote(column.databaseName);
    return [column.propertyName, { sql, type, cast: castOf(type, ''), ...indexesOf(column) }];
  });
  return {
    name,
    entity: null,
    key: '',
    singleton: false,
    table: tablePath(metadata),
    rows: tablePath(metadata),
    fields: new Map(),
    columns: new Map(columns),
    references: [],
    ownProfile: [],
    foreignKeys: [],
  };
}
