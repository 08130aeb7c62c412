import { type DataSource, type EntityMetadata, getMetadataArgsStorage } from 'typeorm';
import { EntityMetadataBuilder } from 'typeorm/metadata-builder/EntityMetadataBuilder.js';
import { EntityMetadataValidator } from 'typeorm/metadata-builder/EntityMetadataValidator.js';
import { MetadataArgsStorage } from 'typeorm/metadata-args/MetadataArgsStorage.js';
import type { RelationMetadataArgs } from 'typeorm/metadata-args/RelationMetadataArgs.js';
import {
  classesOf,
  collectionName,
  declaredFields,
  type EntityClass,
  type Extension,
  isExisting,
} from '../common/schema';
import { foreignKeyIndexes } from './foreign-key-indexes';
import { checkIndexNames } from './index-names';
import { leaveOutForeign, resolveType } from './leave-out-foreign';
import type { SchemaPart } from './schema-part';

/**
 * TypeORM's metadata of the entities of one application: what their classes declare, and what its modules add.
 * @throws RegistrationError where two indexes would have the same name; TypeORM's errors
 */
export function buildEntityMetadata(source: DataSource, schema: SchemaPart): EntityMetadata[] {
  const metadatas = new EntityMetadataBuilder(source, declaredIn(schema)).build([
    ...schema.entities,
  ]);
  const tables = metadatas.filter(({ tableType }) => tableType !== 'view');
  new EntityMetadataValidator().validateMany(tables, source.driver);
  leaveUnmigrated(metadatas, schema);
  for (const metadata of metadatas) if (metadata.synchronize) checkIndexNames(metadata);
  return metadatas;
}

/** No migration is written for an existing table, nor for a junction table that it owns. */
function leaveUnmigrated(metadatas: readonly EntityMetadata[], { entities }: SchemaPart): void {
  const existing = new Set<unknown>(entities.filter(isExisting));
  for (const metadata of metadatas.filter(({ target }) => existing.has(target))) {
    const owned = metadata.manyToManyRelations.filter(({ isOwning }) => isOwning);
    metadata.synchronize = false;
    for (const { junctionEntityMetadata: junction } of owned) {
      if (junction) junction.synchronize = false;
    }
  }
}

type Declarations = Readonly<Record<string, readonly { readonly target: unknown }[]>>;

/** The declarations that TypeORM's decorators have stored, as they are for this application. */
function declaredIn({ entities, extensions = [] }: SchemaPart): MetadataArgsStorage {
  const byName = new Map(
    entities
      .filter((entity) => declaredFields(entity).size > 0)
      .map((entity) => [collectionName(entity), entity]),
  );
  const storage = withExtensions(byName, extensions);
  const own = new Set(entities.flatMap(classesOf));
  const relations = storage.relations.map((each) =>
    own.has(each.target) ? relatedByClass(each, byName) : each,
  );
  Object.assign(storage, { relations });
  leaveOutForeign(storage, entities);
  const indices = [...storage.indices, ...foreignKeyIndexes(storage, entities, extensions)];
  return Object.assign(storage, { indices });
}

/** A copy of TypeORM's storage, in which the fields of extensions are declared by the entities that they extend. */
function withExtensions(
  byName: ReadonlyMap<string, EntityClass>,
  extensions: readonly Extension[],
): MetadataArgsStorage {
  const extended = extensions.flatMap(({ collection, fields }) => {
    const entity = byName.get(collection);
    return entity ? [{ entity, classes: classesOf(fields) }] : [];
  });
  const kinds = Object.entries(getMetadataArgsStorage() as unknown as Declarations);
  const lists = kinds.map(([kind, declared]) => {
    const added = extended.flatMap(({ entity, classes }) =>
      declared
        .filter(({ target }) => classes.includes(target))
        .map((args) => ({ ...args, target: entity })),
    );
    return [kind, [...declared, ...added]] as const;
  });
  return Object.assign(new MetadataArgsStorage(), Object.fromEntries(lists));
}

/** Resolves a relation to a collection by name to its class: another table may have that name. */
function relatedByClass(
  relation: RelationMetadataArgs,
  byName: ReadonlyMap<string, EntityClass>,
): RelationMetadataArgs {
  const named = resolveType(relation.type);
  const entity = typeof named === 'string' ? byName.get(named) : undefined;
  return entity ? { ...relation, type: () => entity } : relation;
}
