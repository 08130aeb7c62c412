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

interface StoredShape extends ValueBounds {
  readonly name: string;
  readonly type: ScalarType;
  readonly nullable: boolean;
  /** Written, but never filtered, sorted or searched, and shown as stars at the most. */
  readonly concealed: boolean;
  /** The database or the service fills it: a create may leave it out. */
  readonly hasDefault: boolean;
}

export interface ColumnShape extends StoredShape {
  readonly kind: 'column';
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
  readonly fields: ReadonlyMap<string, FieldShape>;
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
