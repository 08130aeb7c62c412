import type { ColumnOptions, RelationOptions } from 'typeorm';
import type { ScalarType } from '../../engine';
import type { About, Computed } from './field-declaration';

/** Who writes a field. These options bind administrators too. */
export interface Writing {
  /** Only the database, migrations and hooks of its own collection (`set`, `defaults`) set it: no payload, of the system either. */
  readonly readOnly?: boolean;
  /** It is set when the item is created, or later while it is null; then it is changed as `readOnly` fields are. */
  readonly writeOnce?: boolean;
}

interface StoredOptions {
  /** The name of the column, if it differs from the property's. */
  readonly column?: string;
}

export interface FieldOptions extends StoredOptions, Writing {
  readonly nullable?: boolean;
  readonly unique?: boolean;
  /** A literal, or an SQL expression as a function: `() => 'now()'`. */
  readonly default?: ColumnOptions['default'];
  /** Written but never shown, filtered or sorted by: passwords, secrets. */
  readonly concealed?: boolean;
  /** No rule grants it, even one that lists it: to everyone but administrators it does not exist. */
  readonly adminOnly?: true;
  /** Of a user: everybody is shown their own at `/users/me`, whatever the rules say. */
  readonly ownProfile?: true;
}

/** A default whose type is checked. */
export interface Filled<T> {
  /** A literal, or an SQL expression as a function: `() => 'now()'`. */
  readonly default?: T | (() => string) | null;
}

/** Bounds of a value, whoever writes it; both are inclusive. */
export interface Bounded<T> {
  readonly min?: T;
  readonly max?: T;
}

export interface NumberOptions
  extends Omit<FieldOptions, 'default'>, Bounded<number | string>, Filled<number | string> {}

export interface BooleanOptions extends Omit<FieldOptions, 'default'>, Filled<boolean> {}

export interface IntegerOptions extends Omit<NumberOptions, 'default'>, Filled<number> {
  /**
   * A counter of versions: 1 at first, raised by each update. An update may send the version that it has read; if that
   * is no longer the stored one, it is refused (409 `VERSION_CONFLICT`).
   */
  readonly version?: boolean;
}

export interface DecimalOptions extends NumberOptions {
  /** How many digits a value has at most; unlimited by default. */
  readonly precision?: number;
  /** How many of them are after the decimal point. */
  readonly scale?: number;
}

export interface TextOptions extends FieldOptions {
  /** The greatest length, in characters; unlimited by default. */
  readonly length?: number;
  /** A regular expression (RE2, so that it takes linear time) that is found in the text: `^[A-Z]{2}$`. */
  readonly pattern?: string;
  /** The text must be one e-mail address, without a name. */
  readonly email?: boolean;
}

export interface TimeOptions extends FieldOptions, Bounded<string> {}

export interface TimestampOptions extends TimeOptions {
  /** Set to the time of the request that created the item. */
  readonly createdAt?: boolean;
  /** Set to the time of the request that last wrote the item, which may be the one that created it. */
  readonly updatedAt?: boolean;
  /**
   * Keeps deleted rows: a delete sets this field to the current time and changes nothing else, not even `version`,
   * `updatedAt` and `updatedBy`. Such a row is absent everywhere, except in queries with `deleted=with|only`, and no
   * update finds it. Clients cannot set the field.
   */
  readonly deletedAt?: true;
}

/** Options of a relation. It has no default and is never concealed: the rules of its target decide who sees it. */
export interface ToOneOptions
  extends Writing, Pick<FieldOptions, 'nullable' | 'unique' | 'ownProfile' | 'column'> {
  /** Set to the user who created the item; null where nobody was signed in. */
  readonly createdBy?: boolean;
  /** Set to the user who last wrote the item. */
  readonly updatedBy?: boolean;
  readonly onDelete?: RelationOptions['onDelete'];
  /**
   * False: no foreign key constraint, for rows that outlive their target, such as a log. A missing target reads as
   * null.
   */
  readonly constraint?: boolean;
  /** False: no index. By default there is one, unless another index of the entity begins with this column. */
  readonly index?: false;
}

export type KeyType = 'integer' | 'bigint' | 'uuid' | 'text';

export interface KeyOptions extends StoredOptions {
  /** False: whoever creates a row chooses its key. A `text` key is never generated. */
  readonly generated?: boolean;
  /** The default of a key that is not generated, as SQL. */
  readonly default?: () => string;
  /** The length of a `text` key, in characters. */
  readonly length?: number;
}

/** Options for a property with TypeORM's own decorators, which define everything else. */
export interface ExposeOptions<
  T extends ExposedType = ExposedType,
  C extends readonly string[] = readonly string[],
> extends Pick<FieldOptions, 'concealed' | 'ownProfile'> {
  /**
   * The type in the API, where the column's type leaves it open: a text column may be an `enum`. For an array: the type
   * of its members.
   */
  readonly type?: T;
  /** The words of an `enum`. */
  readonly choices?: C;
}

export type ExposedType = Exclude<ScalarType, 'array'>;

export type Element = Exclude<ScalarType, 'array' | 'json'>;

export interface CollectionOptions {
  /** The collection has exactly one row, created by a migration; it is read and updated without a key. */
  readonly singleton?: boolean;
  /** The name of the table, if it differs from the collection's. */
  readonly table?: string;
  /** The schema of the table, if it is not in the search path. */
  readonly schema?: string;
  /**
   * The table already exists and belongs to the team: migrations are written for foreign keys to it, but not for the
   * table or its junction tables.
   */
  readonly existing?: boolean;
  /** A view of the database, created by a migration of the team; the collection is read-only. */
  readonly view?: boolean;
  /** Its rows concern rows of other collections. */
  readonly about?: About;
}

/**
 * What a computed field is made of. It is granted where the field itself and all fields that it reads are granted, and
 * null elsewhere. Its expression or function reads only these fields, and must not fail for any item.
 */
export type ComputedOptions = Pick<Computed, 'from'> &
  (Required<Pick<Computed, 'sql'>> | Required<Pick<Computed, 'value'>>);
