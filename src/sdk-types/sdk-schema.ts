import {
  collectionOf,
  declaredFields,
  type EntityClass,
  type Extension,
  type FieldDeclaration,
} from '../common/schema';
import { collectionsOf, sdkField, type SdkNames } from './sdk-field';

const OWN = /^service_/;
/** The service's collections that the SDK has types for, with the names of these types. */
const TYPES_OF_SDK: ReadonlyMap<string, string> = new Map([
  ['service_users', 'DirectusUser'],
  ['service_roles', 'DirectusRole'],
  ['service_policies', 'DirectusPolicy'],
  ['service_permissions', 'DirectusPermission'],
  ['service_access', 'DirectusAccess'],
  ['service_activity', 'DirectusActivity'],
  ['service_comments', 'DirectusComment'],
  ['service_settings', 'DirectusSettings'],
]);
const WARNING = '// Written by `doorward types`: do not change it, write it again.';

interface Writing {
  readonly names: SdkNames;
  readonly extensions: readonly Extension[];
}

/**
 * The type of all collections for `createDirectus<Schema>(url)` of `@directus/sdk`, as TypeScript.
 * @param entities of all modules, the service's among them
 */
export function sdkSchema(
  entities: readonly EntityClass[],
  extensions: readonly Extension[] = [],
): string {
  const collections = collectionsOf(entities);
  const own = [...collections].filter(([name]) => !OWN.test(name));
  const names = { entities: collections, interfaces: interfaceNames(own) };
  const writing = { names, extensions };
  const interfaces = [
    ...own.map(([name, entity]) => interfaceOf(name, entity, writing)),
    ...[...TYPES_OF_SDK].flatMap(([name, type]) => extendedOf(name, type, writing)),
  ];
  const text = [schemaOf(own, writing), ...interfaces].join('\n\n');
  return `${[WARNING, ...importOf(text), '', text].join('\n')}\n`;
}

function interfaceNames(own: readonly (readonly [string, EntityClass])[]): Map<string, string> {
  const taken = new Set(['Schema', ...[...TYPES_OF_SDK.values()].map(addedName)]);
  const names = new Map([...TYPES_OF_SDK].map(([name, type]) => [name, `${type}<Schema>`]));
  for (const [collection, entity] of own) {
    let name = entity.name;
    for (let at = 2; taken.has(name) || /^Directus/.test(name); at += 1)
      name = `Item${entity.name}${at}`;
    taken.add(name);
    names.set(collection, name);
  }
  return names;
}

function schemaOf(own: readonly (readonly [string, EntityClass])[], { names }: Writing): string {
  const lists = own.map(([name, entity]) => {
    const list = collectionOf(entity).singleton ? '' : '[]';
    return `  ${name}: ${names.interfaces.get(name) ?? ''}${list};`;
  });
  const extended = [...TYPES_OF_SDK].flatMap(([name, type]) =>
    names.entities.has(name) ? [`  ${sdkName(name)}: ${addedName(type)};`] : [],
  );
  return ['export interface Schema {', ...lists, ...extended, '}'].join('\n');
}

const sdkName = (collection: string): string => collection.replace(OWN, 'directus_');
const addedName = (type: string): string => type.replace(/^Directus/, 'Service');

function interfaceOf(collection: string, entity: EntityClass, { names }: Writing): string {
  const fields = linesOf(entity, [...declaredFields(entity)], names);
  return [`export interface ${names.interfaces.get(collection) ?? ''} {`, ...fields, '}'].join(
    '\n',
  );
}

/** The team's fields extend the SDK's own type of a collection; the key of the property identifies that type. */
function extendedOf(collection: string, type: string, { names, extensions }: Writing): string[] {
  const entity = names.entities.get(collection);
  if (!entity) return [];
  const key = [...declaredFields(entity)].filter(([, each]) => each.kind === 'column' && each.key);
  const added = extensions
    .filter((each) => each.collection === collection)
    .flatMap(({ fields }) => linesOf(fields, [...declaredFields(fields)], names));
  const lines = [...linesOf(entity, key, names), ...added];
  return [[`export interface ${addedName(type)} {`, ...lines, '}'].join('\n')];
}

const linesOf = (
  entity: EntityClass,
  fields: readonly (readonly [string, FieldDeclaration])[],
  names: SdkNames,
): string[] =>
  fields.map(([name, declaration]) => `  ${name}: ${sdkField(entity, name, declaration, names)};`);

function importOf(text: string): string[] {
  const used = [...TYPES_OF_SDK.values()].filter((type) => text.includes(`${type}<Schema>`));
  return used.length === 0 ? [] : [`import type { ${used.join(', ')} } from '@directus/sdk';`];
}
