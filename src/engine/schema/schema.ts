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

const NUMBERS: readonly ScalarType[] = ['integer', 'bigint', 'decimal', 'double'];

export const isNumeric = (type: ScalarType): boolean => NUMBERS.includes(type);

/** Bounds for a value of a column; absent means those of the type itself. */
export interface ValueBounds {
  /** Inclusive, for `integer` (else 32 bits) and `bigint` (else 64 bits). */
  readonly range?: { readonly min: bigint; readonly max: bigint };
  /** In characters (code points), for `text`. */
  readonly maxLength?: number;
  /** For `decimal`: digits in all, and digits behind the point. */
  readonly precision?: number;
  readonly scale?: number;
  /** For `time` and `timestamp`: digits behind the point of a second. */
  readonly secondDigits?: number;
  /** For `enum`: the values that exist. */
  readonly choices?: readonly string[];
  /** For `array`: the type of a member. */
  readonly element?: Exclude<ScalarType, 'array' | 'json'>;
}

/** Conditions on a value besides fitting its column. They apply to written values, never to operands of a filter. */
export interface Limits {
  /** Inclusive, canonical values of the column's type. */
  readonly min?: string | number;
  readonly max?: string | number;
  /** Must match somewhere in the text; a pattern of the linear-time engine. */
  readonly pattern?: string;
  readonly email?: true;
}

/** What the service sets when a row is created, updated or deleted. */
export type Filling =
  'createdAt' | 'updatedAt' | 'createdBy' | 'updatedBy' | 'version' | 'deletedAt';

interface StoredShape extends ValueBounds {
  readonly name: string;
  readonly type: ScalarType;
  readonly nullable: boolean;
  /** Written, but never filtered, sorted or searched, and shown only as stars. */
  readonly concealed: boolean;
  /** No rule grants it, whatever it lists: to everyone but administrators it does not exist. */
  readonly adminOnly?: true;
  /** The database or the service fills it: a create may leave it out. */
  readonly hasDefault: boolean;
  readonly limits?: Limits;
  /**
   * `once`: only while it holds no value; `never`: by no one, whatever the rules say; absent: whenever rules allow it.
   */
  readonly writable?: 'once' | 'never';
  /** Set where only the service writes the field: how it is filled. */
  readonly filling?: Filling;
}

export interface ColumnShape extends StoredShape {
  readonly kind: 'column';
  /** Not stored in a column: it is computed from other fields, and granted where it and all of these are granted. */
  readonly computed?: {
    readonly from: readonly string[];
    /** SQL can be compared like any column; a function can only be shown. */
    readonly by: 'sql' | 'function';
  };
}

/** A foreign key: a column that holds the target's key, and a relation to the target's row. */
export interface ToOneShape extends StoredShape {
  readonly kind: 'to-one';
  readonly target: string;
  /** There is no foreign key constraint, so its target may be missing. */
  readonly unconstrained?: true;
}

export interface ToManyShape {
  readonly kind: 'to-many';
  readonly name: string;
  readonly target: string;
  readonly concealed: false;
  /** One-to-many: the field of the target that holds our key. */
  readonly foreignKey?: string;
  readonly through?: JunctionShape;
}

/** What links the rows of a many-to-many relation. */
export interface JunctionShape {
  readonly collection: string;
  /** Its field that holds our key. */
  readonly foreignKey: string;
  /** Its field that holds the target's key. */
  readonly targetForeignKey: string;
}

export type StoredField = ColumnShape | ToOneShape;
export type FieldShape = StoredField | ToManyShape;

export interface CollectionShape {
  readonly name: string;
  /** The name of the key field. */
  readonly key: string;
  readonly singleton: boolean;
  /** Read-only. */
  readonly view?: true;
  readonly fields: ReadonlyMap<string, FieldShape>;
  /**
   * Where deleted rows are kept, the field that holds when a row was deleted: such rows are hidden from everything
   * else.
   */
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
 * Which fields may be named: the one place where «does not exist» and «not granted» become the same answer. For a
 * hidden field every parser reports the same as for a missing one.
 */
export interface FieldLookup {
  key(collection: string): string | undefined;
  field(collection: string, name: string): FieldShape | undefined;
}

export const isStored = (field: FieldShape): field is StoredField => field.kind !== 'to-many';

/** Whether a payload may set the field: a write-once field is refused where its row has a value. */
export const isWritable = (field: FieldShape): boolean =>
  field.kind === 'to-many' || field.writable !== 'never';

/**
 * Whether a payload may contain the field. Of the fields that the service fills, an update may contain only the
 * version, as it was read.
 */
export const isSent = (field: FieldShape, action: 'create' | 'update'): boolean =>
  isWritable(field) || (isStored(field) && field.filling === 'version' && action === 'update');

/** The input fields, where the field is computed by a function. */
export const functionInputs = (field: FieldShape): readonly string[] | undefined =>
  field.kind === 'column' && field.computed?.by === 'function' ? field.computed.from : undefined;

/** Whether filters, sorts, searches and aggregates may use it: the database stores it, and it is not concealed. */
export const isComparableField = (field: FieldShape): boolean =>
  !field.concealed && functionInputs(field) === undefined;
