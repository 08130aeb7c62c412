import {
  type CollectionShape,
  type FieldShape,
  hasField,
  isStored,
  namedFields,
  type Schema,
  type StoredField,
  type ToManyShape,
  type Caller,
} from '../../engine';

export interface CollectionDescription {
  readonly collection: string;
  readonly singleton: boolean;
  /** The field that items are addressed by. */
  readonly key: string;
}

export interface FieldDescription {
  readonly collection: string;
  readonly field: string;
  /** Of a to-one relation: its key's; of a list: `alias`, since no column holds it. */
  readonly type: string;
  readonly nullable: boolean;
  /** A create must set it. */
  readonly required: boolean;
  /** Written, but never shown, filtered or sorted by. */
  readonly concealed: boolean;
  readonly relation: RelationDescription | null;
  readonly max_length: number | null;
  readonly precision: number | null;
  readonly scale: number | null;
  readonly choices: readonly string[] | null;
  /** The type of an array's members. */
  readonly element: string | null;
}

export interface RelationDescription {
  readonly kind: 'many-to-one' | 'one-to-many' | 'many-to-many';
  readonly target: string;
  /** One-to-many: the field of the target that leads back. */
  readonly field: string | null;
}

/** The collections that the caller may read anything of, by name. */
export function describeCollections(caller: Caller, schema: Schema): CollectionDescription[] {
  return readable(caller, schema).map(describeCollection);
}

/** The fields of those collections that the caller may name when reading. */
export function describeFields(caller: Caller, schema: Schema): FieldDescription[] {
  return readable(caller, schema).flatMap((shape) => fieldsOf(caller, shape));
}

const readable = (caller: Caller, schema: Schema): CollectionShape[] =>
  [...schema.all()]
    .filter(({ name }) => caller.may('read', name))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));

const describeCollection = ({ name, singleton, key }: CollectionShape): CollectionDescription => ({
  collection: name,
  singleton,
  key,
});

function fieldsOf(caller: Caller, shape: CollectionShape): FieldDescription[] {
  const decision = caller.decide(shape.name, 'read');
  const named = decision ? namedFields(decision) : new Set<string>();
  return [...shape.fields.values()]
    .filter(({ name }) => hasField(named, name))
    .map((field) => describeField(caller, shape.name, field));
}

function describeField(caller: Caller, collection: string, field: FieldShape): FieldDescription {
  const common = { collection, field: field.name, relation: relationOf(caller, field) };
  if (isStored(field)) return { ...common, ...stored(field) };
  return { ...common, ...NOT_STORED };
}

const stored = (field: StoredField) => ({
  type: field.type,
  nullable: field.nullable,
  required: !field.nullable && !field.hasDefault,
  concealed: field.concealed,
  max_length: field.maxLength ?? null,
  precision: field.precision ?? null,
  scale: field.scale ?? null,
  choices: field.choices ?? null,
  element: field.type === 'array' ? (field.element ?? 'text') : null,
});

const NOT_STORED = {
  type: 'alias',
  nullable: true,
  required: false,
  concealed: false,
  max_length: null,
  precision: null,
  scale: null,
  choices: null,
  element: null,
} as const;

/** A relation to what the caller does not see is a key and nothing more. */
function relationOf(caller: Caller, field: FieldShape): RelationDescription | null {
  if (field.kind === 'column' || !caller.may('read', field.target)) return null;
  if (field.kind === 'to-one') return { kind: 'many-to-one', target: field.target, field: null };
  return listRelation(caller, field);
}

function listRelation(caller: Caller, { target, foreignKey }: ToManyShape): RelationDescription {
  if (foreignKey === undefined) return { kind: 'many-to-many', target, field: null };
  const field = caller.readable.field(target, foreignKey) ? foreignKey : null;
  return { kind: 'one-to-many', target, field };
}
