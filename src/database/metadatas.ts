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
  isExisting,
  isExposed,
} from '../common/schema';
import { foreignKeyIndexes } from './foreign-key-indexes';
import { checkIndexNames } from './index-names';
import type { SchemaPart } from './schema-part';

/** What TypeORM must know of the entities of one application: the declarations, and what its modules add. */
export function metadatasOf(source: DataSource, schema: SchemaPart): EntityMetadata[] {
  const metadatas = new EntityMetadataBuilder(source, declaredIn(schema)).build([
    ...schema.entities,
  ]);
  const tables = metadatas.filter(({ tableType }) => tableType !== 'view');
  new EntityMetadataValidator().validateMany(tables, source.driver);
  leaveExisting(metadatas, schema);
  for (const metadata of metadatas) if (metadata.synchronize) checkIndexNames(metadata);
  return metadatas;
}

/** No migration is written for an existing table, nor for a junction table that it owns. */
function leaveExisting(metadatas: readonly EntityMetadata[], { entities }: SchemaPart): void {
  const existing = new Set<unknown>(entities.filter(isExisting));
  for (const metadata of metadatas.filter(({ target }) => existing.has(target))) {
    const owned = metadata.manyToManyRelations.filter(({ isOwning }) => isOwning);
    for (const left of [metadata, ...owned.map((each) => each.junctionEntityMetadata)]) {
      if (left) left.synchronize = false;
    }
  }
}

type Declared = Readonly<Record<string, readonly { readonly target: unknown }[]>>;

function declaredIn({ entities, extensions = [] }: SchemaPart): MetadataArgsStorage {
  const byName = new Map(
    entities
      .filter((entity) => declaredFields(entity).size > 0)
      .map((entity) => [collectionName(entity), entity]),
  );
  const targets = extensions.flatMap(({ collection, fields }) => {
    const extended = byName.get(collection);
    return extended ? [{ extended, classes: classesOf(fields) }] : [];
  });
  const lists = Object.entries(getMetadataArgsStorage() as unknown as Declared).map(
    ([kind, declared]) => {
      const added = targets.flatMap(({ extended, classes }) =>
        declared
          .filter(({ target }) => classes.includes(target))
          .map((args) => ({ ...args, target: extended })),
      );
      return [kind, [...declared, ...added]] as const;
    },
  );
  const storage = Object.assign(new MetadataArgsStorage(), Object.fromEntries(lists));
  const own = new Set(entities.flatMap(classesOf));
  Object.assign(storage, {
    relations: storage.relations.map((each) =>
      own.has(each.target) ? byClass(each, byName) : each,
    ),
  });
  withoutForeign(storage, entities);
  const indices = [...storage.indices, ...foreignKeyIndexes(storage, entities, extensions)];
  return Object.assign(storage, { indices });
}

/**
 * Leaves out what only the team's own data source knows of an existing table: embedded classes, relations and foreign
 * keys to entities that are no collections here, and indexes of these. Their columns stay in the table.
 */
function withoutForeign(storage: MetadataArgsStorage, entities: readonly EntityClass[]): void {
  const known = new Set<unknown>(entities);
  for (const entity of entities.filter(isExisting)) {
    const chain = classesOf(entity);
    const own = <T extends { readonly target: unknown }>(args: readonly T[]): T[] =>
      args.filter(({ target }) => chain.includes(target));
    const left = new Set([
      ...own(storage.embeddeds).map(({ propertyName }) => propertyName),
      ...own(storage.relations).flatMap(({ propertyName, type }) =>
        !isExposed(entity, propertyName) && !known.has(resolved(type)) ? [propertyName] : [],
      ),
    ]);
    const isKept = ({ target, propertyName }: { target: unknown; propertyName: string }): boolean =>
      !chain.includes(target) || !left.has(propertyName);
    const names = ({ target, columns }: { target: unknown; columns?: unknown }): boolean =>
      chain.includes(target) && propertiesIn(columns).some((each) => left.has(firstOf(each)));
    const isForeign = ({ target, type }: { target: unknown; type: unknown }): boolean =>
      chain.includes(target) && typeof resolved(type) === 'function' && !known.has(resolved(type));
    Object.assign(storage, {
      relations: storage.relations.filter(isKept),
      indices: storage.indices.filter((each) => !names(each)),
      uniques: storage.uniques.filter((each) => !names(each)),
      foreignKeys: storage.foreignKeys.filter((each) => !isForeign(each)),
      embeddeds: storage.embeddeds.filter(({ target }) => !chain.includes(target)),
      relationIds: storage.relationIds.filter(({ target }) => !chain.includes(target)),
    });
  }
}

const resolved = (type: unknown): unknown =>
  typeof type === 'function' && type.prototype === undefined ? (type as () => unknown)() : type;

/** The properties of an index; TypeORM accepts a list, or a function that returns one, or an object. */
function propertiesIn(columns: unknown): string[] {
  if (Array.isArray(columns)) return columns.map(String);
  if (typeof columns !== 'function') return Object.keys(columns ?? {});
  return propertiesIn((columns as (names: object) => unknown)(pathsFrom('')));
}

/** Whose properties, and theirs, are their paths: as texts, `address.street`. */
const pathsFrom = (path: string): object =>
  new Proxy(
    {},
    {
      get: (_, name) =>
        typeof name === 'symbol' ? () => path : pathsFrom(path ? `${path}.${name}` : name),
    },
  );

const firstOf = (path: string): string => path.split('.', 1)[0] ?? '';

/** Resolves a relation to a collection by name to its class: another table may have that name. */
function byClass(
  relation: RelationMetadataArgs,
  byName: ReadonlyMap<string, EntityClass>,
): RelationMetadataArgs {
  const named = resolved(relation.type);
  const entity = typeof named === 'string' ? byName.get(named) : undefined;
  return entity ? { ...relation, type: () => entity } : relation;
}
