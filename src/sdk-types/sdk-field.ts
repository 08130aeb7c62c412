import {
  collectionName,
  declaredFields,
  type EntityClass,
  type FieldDeclaration,
  storedOf,
  targetName,
} from '../common/schema';

/** The names in the written types: the entity of each collection, and the name of its interface. */
export interface SdkNames {
  readonly entities: ReadonlyMap<string, EntityClass>;
  readonly interfaces: ReadonlyMap<string, string>;
}

type ColumnDeclaration = Extract<FieldDeclaration, { kind: 'column' }>;
type Scalar = ColumnDeclaration['type'];

/** Words that the SDK uses for types of its own: as choices of a field they would be misread. */
const WORDS_OF_SDK: readonly string[] = ['json', 'csv', 'datetime', 'date', 'time'];

/** @returns the type of one field, as TypeScript */
export function sdkField(
  entity: EntityClass,
  field: string,
  declaration: FieldDeclaration,
  names: SdkNames,
): string {
  switch (declaration.kind) {
    case 'column':
      return withNull(columnType(declaration), entity, field);
    case 'computed':
      return orNull(scalarType(declaration.type));
    case 'to-one': {
      const { key, item } = targetTypes(targetName(declaration.target), names);
      return withNull(`${key} | ${item}`, entity, field);
    }
    case 'one-to-many':
    case 'many-to-many': {
      const { key, item } = targetTypes(targetName(declaration.target), names);
      return `${listOf(key)} | ${listOf(item)}`;
    }
  }
}

const orNull = (type: string): string => `${type} | null`;

/** The type of a field whose column may hold null, or may not. */
const withNull = (type: string, entity: EntityClass, field: string): string =>
  storedOf(entity, field)?.nullable === true ? orNull(type) : type;

/** A related row is answered as its key, or as an item where its fields were asked for. */
const targetTypes = (collection: string, { entities, interfaces }: SdkNames) => ({
  key: keyType(entities.get(collection)),
  item: interfaces.get(collection) ?? 'unknown',
});

function keyType(entity: EntityClass | undefined): string {
  const fields = entity ? [...declaredFields(entity).values()] : [];
  const key = fields.find((each) => each.kind === 'column' && each.key);
  return key?.kind === 'column' ? scalarType(key.type) : 'string';
}

function columnType({ type, choices, element, concealed }: ColumnDeclaration): string {
  // Whatever its type, a mask of stars is shown.
  if (concealed) return 'string';
  if (type === 'array') return listOf(memberType(element ?? 'text', choices));
  return wordType(type, choices);
}

const listOf = (type: string): string => (type.includes(' | ') ? `(${type})[]` : `${type}[]`);

/** The SDK knows its words only as the type of a whole field. */
function memberType(type: Scalar, choices: readonly string[] | undefined): string {
  switch (type) {
    case 'timestamp':
    case 'date':
    case 'time':
      return 'string';
    case 'json':
      return 'unknown';
    default:
      return wordType(type, choices);
  }
}

function wordType(type: Scalar, choices: readonly string[] = []): string {
  const isPlain = choices.every((word) => !WORDS_OF_SDK.includes(word));
  return type === 'enum' && choices.length > 0 && isPlain
    ? choices.map((word) => quoted(word)).join(' | ')
    : scalarType(type);
}

const quoted = (word: string): string =>
  `'${JSON.stringify(word)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll("'", String.raw`\'`)}'`;

function scalarType(type: Scalar): string {
  switch (type) {
    case 'integer':
    case 'double':
      return 'number';
    case 'boolean':
      return 'boolean';
    // By its own words the SDK knows the functions and operators of a field; the other types are what is written.
    case 'timestamp':
      return "'datetime' | (string & {})";
    case 'date':
    case 'time':
      return `'${type}' | (string & {})`;
    case 'json':
      return "'json' | object";
    // Answered as text where digits would be lost, otherwise as a number.
    case 'bigint':
      return 'number | string';
    // Sent as text, so that no digit is lost.
    case 'decimal':
    case 'text':
    case 'enum':
    case 'uuid':
    case 'array':
      return 'string';
  }
}

/** The entities that are collections, by the names of these. */
export const collectionsOf = (entities: readonly EntityClass[]): Map<string, EntityClass> =>
  new Map(
    entities
      .filter((entity) => declaredFields(entity).size > 0)
      .map((entity) => [collectionName(entity), entity]),
  );
