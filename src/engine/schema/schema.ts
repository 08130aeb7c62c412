/** The kinds of value a column holds, as the filter language sees them. */
export type ScalarType =
  | 'integer'
  | 'bigint'
  | 'decimal'
  | 'double'
  | 'boolean'
  | 'text'
  | 'enum'
  | 'uuid'
  | 'date'
  | 'time'
  | 'timestamp'
  | 'json'
  | 'array';

/** The bounds a value of a column must keep; absent means those of the type itself. */
export interface ValueBounds {
  /** Inclusive, for `integer` (else 32 bits) and `bigint` (else 64 bits). */
  readonly range?: { readonly min: bigint; readonly max: bigint };
  /** In characters (code points), for `text`. */
  readonly maxLength?: number;
  /** For `decimal`: digits in all, and digits behind the point. */
  readonly precision?: number;
  readonly scale?: number;
  /** For `enum`: the values that exist. */
  readonly choices?: readonly string[];
  /** For `array`: the type of a member. */
  readonly element?: Exclude<ScalarType, 'array' | 'json'>;
}

/** What a value must be beside fitting its column. It is asked of what is written, never of what a filter compares. */
export interface Limits {
  /** Inclusive, canonical values of the column's type. */
  readonly min?: string | number;
  readonly max?: string | number;
  /** Found somewhere in the text; of the linear-time engine's. */
  readonly pattern?: string;
  readonly email?: true;
}

/** What the service gives a field when its row is made, updated or deleted. */
export type Filling =
  'createdAt' | 'updatedAt' | 'createdBy' | 'updatedBy' | 'version' | 'deletedAt';

interface StoredShape extends ValueBounds {
  readonly name: string;
  readonly type: ScalarType;
  readonly nullable: boolean;
  /** Written, but never filtered, sorted or searched, and shown as stars at the most. */
  readonly concealed: boolean;
  /** The database or the service fills it: a create may leave it out. */
  readonly hasDefault: boolean;
  readonly limits?: Limits;
  /** Absent: whenever rules allow it. Once: while it holds nothing. Never: by nobody, whatever the rules say. */
  readonly writable?: 'once' | 'never';
  /** A field that the service fills is never written by anybody else. */
  readonly filling?: Filling;
}

export interface ColumnShape extends StoredShape {
  readonly kind: 'column';
  /** No column holds it: it is made of other fields, and granted where they are and it is. */
  readonly computed?: {
    readonly from: readonly string[];
    /** By SQL it is compared as any column is; by a function it is only shown. */
    readonly by: 'sql' | 'function';
  };
}

/** A foreign key: a column that holds the target's key, and a relation to the target's row. */
export interface ToOneShape extends StoredShape {
  readonly kind: 'to-one';
  readonly target: string;
}

export interface ToManyShape {
  readonly kind: 'to-many';
  readonly name: string;
  readonly target: string;
  readonly concealed: false;
  /** One-to-many: the field of the target that holds our key. */
  readonly foreignKey?: string;
  /** Many-to-many: the junction collection, its field that holds our key, its field that holds the target's. */
  readonly through?: { readonly collection: string; readonly near: string; readonly far: string };
}

export type StoredField = ColumnShape | ToOneShape;
export type FieldShape = StoredField | ToManyShape;

export interface CollectionShape {
  readonly name: string;
  /** The name of the key field. */
  readonly key: string;
  readonly singleton: boolean;
  /** It is only read. */
  readonly view?: true;
  readonly fields: ReadonlyMap<string, FieldShape>;
  /** The field that holds when a row was deleted, where deleted rows are kept: they are absent for everything else. */
  readonly deletedAt?: string;
  /** Fields that hold parts of other rows: only administrators may name them in filters, sorts and groups. */
  readonly parts?: readonly string[];
}

/** Every collection there is, by name. */
export interface Schema {
  get(collection: string): CollectionShape | undefined;
  all(): Iterable<CollectionShape>;
}

/**
 * Which fields may be named: the one place where «does not exist» and «not granted» become the same answer.
 * A lookup that hides a field makes every parser speak of it as of one that was never there.
 */
export interface FieldLookup {
  key(collection: string): string | undefined;
  field(collection: string, name: string): FieldShape | undefined;
}

export const isStored = (field: FieldShape): field is StoredField => field.kind !== 'to-many';

/** Whether a payload may set the field: a field that is set once is refused where its row has a value. */
export const isWritable = (field: FieldShape): boolean =>
  field.kind === 'to-many' || field.writable !== 'never';

/** The fields of which a function makes this one, where one does. */
export const functionInputs = (field: FieldShape): readonly string[] | undefined =>
  field.kind === 'column' && field.computed?.by === 'function' ? field.computed.from : undefined;

/** Whether filters, sorts, searches and aggregates may look at it: the database knows it, and it is no secret. */
export const isComparableField = (field: FieldShape): boolean =>
  !field.concealed && functionInputs(field) === undefined;
