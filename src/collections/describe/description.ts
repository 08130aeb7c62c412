import {
  type CollectionShape,
  type FieldSet,
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
  /** Nobody sends it: the service fills it, or whatever else the team has made for it. */
  readonly read_only: boolean;
  /** No column holds it: it is made of other fields. */
  readonly computed: ComputedDescription | null;
  /** It is never changed once it is set. */
  readonly write_once: boolean;
  /** Inclusive. */
  readonly min: string | number | null;
  readonly max: string | number | null;
  /** A regular expression (RE2) that is found in the text. */
  readonly pattern: string | null;
  /** `email`. */
  readonly format: string | null;
}

export interface ComputedDescription {
  /** By `sql` it is compared as any column is; by a `function` it is only shown. */
  readonly by: 'sql' | 'function';
  /** The fields that it is made of, as far as the caller may name them: it is null where one of all is hidden. */
  readonly from: readonly string[];
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
    .map((field) => ({
      ...describeField(caller, shape.name, field),
      computed: computedOf(field, named),
    }));
}

function computedOf(field: FieldShape, named: FieldSet): ComputedDescription | null {
  if (field.kind !== 'column' || !field.computed) return null;
  const { by, from } = field.computed;
  return { by, from: from.filter((name) => hasField(named, name)) };
}

function describeField(
  caller: Caller,
  collection: string,
  field: FieldShape,
): Omit<FieldDescription, 'computed'> {
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
  read_only: field.writable === 'never',
  write_once: field.writable === 'once',
  min: field.limits?.min ?? null,
  max: field.limits?.max ?? null,
  pattern: field.limits?.pattern ?? null,
  format: field.limits?.email ? 'email' : null,
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
  read_only: false,
  write_once: false,
  min: null,
  max: null,
  pattern: null,
  format: null,
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
