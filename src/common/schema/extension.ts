import { getMetadataArgsStorage } from 'typeorm';
import { collectionName } from './collection-name';
import { declaredFields, type EntityClass, type FieldDeclaration } from './field-declaration';

/** Fields that a team's module adds to a collection of the service's: a plain class that describes them. */
export interface Extension {
  readonly collection: string;
  readonly fields: EntityClass;
}

/** The fields of an entity in one application: its own, and those that modules of that application add. */
export function exposedFields(
  entity: EntityClass,
  extensions: readonly Extension[],
): ReadonlyMap<string, FieldDeclaration> {
  const own = declaredFields(entity);
  const added = extensionsOf(entity, extensions);
  if (added.length === 0) return own;
  return new Map([...own, ...added.flatMap(({ fields }) => [...declaredFields(fields)])]);
}

const extensionsOf = (
  entity: EntityClass,
  extensions: readonly Extension[],
): readonly Extension[] =>
  extensions.length === 0
    ? []
    : extensions.filter(({ collection }) => collection === collectionName(entity));

/** The fields of users that everyone is shown of themselves, at `/users/me`. */
export const ownProfileOf = (fields: ReadonlyMap<string, FieldDeclaration>): string[] =>
  [...fields].flatMap(([name, { ownProfile }]) => (ownProfile ? [name] : []));

/** The options of a property's column in TypeORM; undefined where it has no column. */
export function storedOf(entity: EntityClass, property: string): StoredProperty | undefined {
  const { columns, relations, joinColumns } = getMetadataArgsStorage();
  const chain = classesOf(entity);
  const isIt = (args: { target: unknown; propertyName: string }): boolean =>
    chain.includes(args.target) && args.propertyName === property;
  const relation = relations.find(isIt);
  if (relation) {
    const { nullable = true } = relation.options;
    return { column: joinColumns.find(isIt)?.name ?? property, nullable, filled: false };
  }
  const options = columns.find(isIt)?.options;
  if (!options) return undefined;
  const filled = options.default !== undefined;
  return { column: options.name ?? property, nullable: options.nullable === true, filled };
}

interface StoredProperty {
  readonly column: string;
  readonly nullable: boolean;
  readonly filled: boolean;
}

/** A class and its base classes. */
export function classesOf(entity: EntityClass): unknown[] {
  const chain: unknown[] = [];
  for (let at: unknown = entity; typeof at === 'function' && at !== Function.prototype;) {
    chain.push(at);
    at = Object.getPrototypeOf(at);
  }
  return chain;
}
