import type { MetadataArgsStorage } from 'typeorm/metadata-args/MetadataArgsStorage.js';
import { classesOf, type EntityClass, isExisting, isExposed } from '../common/schema';

interface OfClass {
  readonly target: unknown;
}

/**
 * Leaves out what only the team's own data source knows of an existing table: embedded classes, relations and foreign
 * keys to entities that are no collections here, and indexes of these. Their columns stay in the table.
 * @param storage all declarations; it is changed
 */
export function leaveOutForeign(
  storage: MetadataArgsStorage,
  entities: readonly EntityClass[],
): void {
  const collections = new Set<unknown>(entities);
  for (const entity of entities.filter(isExisting)) leaveOutOf(entity, storage, collections);
}

function leaveOutOf(
  entity: EntityClass,
  storage: MetadataArgsStorage,
  collections: ReadonlySet<unknown>,
): void {
  const chain = classesOf(entity);
  const isOwn = ({ target }: OfClass): boolean => chain.includes(target);
  const properties = foreignProperties(entity, storage, collections);
  const isForeignProperty = (declared: OfClass & { readonly propertyName: string }): boolean =>
    isOwn(declared) && properties.has(declared.propertyName);
  const namesForeign = (declared: OfClass & { readonly columns?: unknown }): boolean =>
    isOwn(declared) &&
    propertiesIn(declared.columns).some((path) => properties.has(firstPropertyOf(path)));
  const leadsToForeign = (declared: OfClass & { readonly type: unknown }): boolean =>
    isOwn(declared) && isForeignClass(resolveType(declared.type), collections);
  Object.assign(storage, {
    relations: storage.relations.filter((each) => !isForeignProperty(each)),
    indices: storage.indices.filter((each) => !namesForeign(each)),
    uniques: storage.uniques.filter((each) => !namesForeign(each)),
    foreignKeys: storage.foreignKeys.filter((each) => !leadsToForeign(each)),
    embeddeds: storage.embeddeds.filter((each) => !isOwn(each)),
    relationIds: storage.relationIds.filter((each) => !isOwn(each)),
  });
}

/** The properties that embed a class, or relate to an entity that is no collection. */
function foreignProperties(
  entity: EntityClass,
  storage: MetadataArgsStorage,
  collections: ReadonlySet<unknown>,
): ReadonlySet<string> {
  const chain = classesOf(entity);
  const isOwn = ({ target }: OfClass): boolean => chain.includes(target);
  const embedded = storage.embeddeds.filter(isOwn);
  const relations = storage.relations
    .filter(isOwn)
    .filter(({ propertyName }) => !isExposed(entity, propertyName))
    .filter(({ type }) => !collections.has(resolveType(type)));
  return new Set([...embedded, ...relations].map(({ propertyName }) => propertyName));
}

const isForeignClass = (type: unknown, collections: ReadonlySet<unknown>): boolean =>
  typeof type === 'function' && !collections.has(type);

/** The class or name of a type that may be declared by a function: `() => Invoice`. */
export const resolveType = (type: unknown): unknown =>
  typeof type === 'function' && type.prototype === undefined ? (type as () => unknown)() : type;

/** The properties of an index; TypeORM accepts a list, or a function that returns one, or an object. */
function propertiesIn(columns: unknown): string[] {
  if (Array.isArray(columns)) return columns.map(String);
  if (typeof columns !== 'function') return Object.keys(columns ?? {});
  return propertiesIn((columns as (names: object) => unknown)(pathsFrom('')));
}

/** An object for such a function: as a text, `names.address.street` is `address.street`. */
const pathsFrom = (path: string): object =>
  new Proxy(
    {},
    {
      get: (_, name) =>
        typeof name === 'symbol' ? () => path : pathsFrom(path ? `${path}.${name}` : name),
    },
  );

const firstPropertyOf = (path: string): string => path.split('.', 1)[0] ?? '';
