import type { IndexMetadataArgs } from 'typeorm/metadata-args/IndexMetadataArgs.js';
import type { UniqueMetadataArgs } from 'typeorm/metadata-args/UniqueMetadataArgs.js';
import {
  classesOf,
  declaredFields,
  type EntityClass,
  exposedFields,
  type Extension,
} from '../common/schema';

/** Indexes declared beside the fields. */
interface Declared {
  readonly indices: readonly IndexMetadataArgs[];
  readonly uniques: readonly UniqueMetadataArgs[];
}

/**
 * The indexes of the foreign keys that `Field.toOne` declares: one each, unless it opts out or the entity has one that
 * begins with it.
 */
export function foreignKeyIndexes(
  declared: Declared,
  entities: readonly EntityClass[],
  extensions: readonly Extension[] = [],
): IndexMetadataArgs[] {
  const byEntity = new Map<unknown, Map<string, IndexMetadataArgs>>();
  for (const entity of entities) {
    const indexed = firstIndexed(entity, declared);
    for (const [property, field] of exposedFields(entity, extensions)) {
      if (field.kind !== 'to-one' || field.index === false || indexed.has(property)) continue;
      const target = declaring(entity, property);
      const ofTarget = byEntity.get(target) ?? new Map<string, IndexMetadataArgs>();
      byEntity.set(target, ofTarget.set(property, indexOf(target, property)));
    }
  }
  return [...byEntity.values()].flatMap((ofTarget) => [...ofTarget.values()]);
}

const indexOf = (target: EntityClass, property: string): IndexMetadataArgs => ({
  target,
  columns: [property],
  unique: false,
  synchronize: true,
});

/** The first base class with the property: its index is inherited. */
function declaring(entity: EntityClass, property: string): EntityClass {
  const chain = classesOf(entity) as EntityClass[];
  return chain.findLast((each) => declaredFields(each).has(property)) ?? entity;
}

/** The properties that an index or a unique constraint of the entity begins with. */
function firstIndexed(
  entity: EntityClass,
  { indices, uniques }: Declared,
): ReadonlySet<string | undefined> {
  const chain = classesOf(entity);
  const isOwn = ({ target }: { readonly target: unknown }): boolean => chain.includes(target);
  const unconditional = indices.filter(({ where, columns }) => isWhole(where, first(columns)));
  return new Set([...unconditional, ...uniques].filter(isOwn).map(({ columns }) => first(columns)));
}

const first = (columns: unknown): string | undefined =>
  Array.isArray(columns) && typeof columns[0] === 'string' ? columns[0] : undefined;

/** A partial index serves the key where it only leaves out NULL. */
const isWhole = (where: string | undefined, property: string | undefined): boolean =>
  where === undefined || where === `"${property}" IS NOT NULL`;
