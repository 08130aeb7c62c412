import type { ColumnOptions, RelationOptions } from 'typeorm';
import type { ScalarType } from '../../engine';
import type { About, Computed } from './field-declaration';

/** Who writes a field. These bind administrators too. */
export interface Writing {
  /** Only the database, hooks and migrations set it. */
  readonly readOnly?: boolean;
  /** It is set when the item is created, or later while it is null, and never changed. */
  readonly writeOnce?: boolean;
}

interface StoredOptions {
  /** The column, where it bears another name than the property. */
  readonly column?: string;
}

export interface FieldOptions extends StoredOptions, Writing {
  readonly nullable?: boolean;
  readonly unique?: boolean;
  /** A literal, or an SQL expression as `() => 'now()'`. */
  readonly default?: ColumnOptions['default'];
  /** Written but never shown, filtered or sorted by: passwords, secrets. */
  readonly concealed?: boolean;
  /** Of a user: everybody is shown their own at `/users/me`, whatever the rules say. */
  readonly ownProfile?: true;
}

/** A default that TypeScript checks. */
export interface Filled<T> {
  /** A literal, or an SQL expression as `() => 'now()'`. */
  readonly default?: T | (() => string) | null;
}

/** What a value must be, of whoever writes it. Both ends are included. */
export interface Bounded<T> {
  readonly min?: T;
  readonly max?: T;
}

export interface NumberOptions
  extends Omit<FieldOptions, 'default'>, Bounded<number | string>, Filled<number | string> {}

export interface BooleanOptions extends Omit<FieldOptions, 'default'>, Filled<boolean> {}

export interface IntegerOptions extends Omit<NumberOptions, 'default'>, Filled<number> {
  /** Begins at 1 and goes up by each update, which may say which one it read: another is a conflict. */
  readonly version?: boolean;
}

export interface DecimalOptions extends NumberOptions {
  readonly precision?: number;
  readonly scale?: number;
}

export interface TextOptions extends FieldOptions {
  readonly length?: number;
  /** A regular expression (RE2, so that it takes linear time) that is found in the text: `^[A-Z]{2}$`. */
  readonly pattern?: string;
  /** One address, without a name. */
  readonly email?: boolean;
}

export interface TimeOptions extends FieldOptions, Bounded<string> {}

export interface TimestampOptions extends TimeOptions {
  /** The moment of the request that made the item. */
  readonly createdAt?: boolean;
  /** The moment of the request that wrote the item last: that made it, where nobody has changed it. */
  readonly updatedAt?: boolean;
  /**
   * When the row was deleted: a delete sets it and takes nothing away. A row that has it is absent everywhere, save
   * where `deleted=with|only` asks for it. Nobody sets it, and a delete sets nothing else: what the row held when it
   * was deleted stays, `version`, `updatedAt` and `updatedBy` too. An update of it finds no row, whatever version it says.
   */
  readonly deletedAt?: true;
}

/** A relation has no default, and is no secret: its target's rules decide who sees it. */
export interface ToOneOptions
  extends Writing, Pick<FieldOptions, 'nullable' | 'unique' | 'ownProfile' | 'column'> {
  /** The user who made the item; null where nobody was signed in. */
  readonly createdBy?: boolean;
  /** The user who wrote the item last. */
  readonly updatedBy?: boolean;
  readonly onDelete?: RelationOptions['onDelete'];
  /** False: the target may be gone, as from a log that outlives it; it then leads to nothing. */
  readonly constraint?: boolean;
  /** False: no index. By default there is one, unless another of the entity begins with this key. */
  readonly index?: false;
}

export type KeyType = 'integer' | 'bigint' | 'uuid' | 'text';

export interface KeyOptions extends StoredOptions {
  /** False: whoever creates a row says its key. A `text` is always said. */
  readonly generated?: boolean;
  /** What a key that is not generated is where nobody says it, as SQL. */
  readonly default?: () => string;
  /** In characters, of a `text`. */
  readonly length?: number;
}

/** Of a property that has TypeORM's own decorators: they say the rest. */
export interface ExposeOptions<
  T extends ExposedType = ExposedType,
  C extends readonly string[] = readonly string[],
> extends Pick<FieldOptions, 'concealed' | 'ownProfile'> {
  /** What it is read as, where the column's type leaves it open: a text may be an `enum`. Of a list, each of its values. */
  readonly type?: T;
  /** Of an `enum`, the words that there are. */
  readonly choices?: C;
}

export type ExposedType = Exclude<ScalarType, 'array'>;

export type Element = Exclude<ScalarType, 'array' | 'json'>;

export interface CollectionOptions {
  /** One row, made by migration, read and updated without a key. */
  readonly singleton?: boolean;
  /** The table, where it bears another name than the collection. */
  readonly table?: string;
  /** The table's schema, where the search path does not lead to it. */
  readonly schema?: string;
  /** The table is there already, and is the team's own: no migration is written for it, only links to it. */
  readonly existing?: boolean;
  /** A view of the database's, made by a migration of the team's: its rows are only read. */
  readonly view?: boolean;
  /** Its rows are about those of other collections. */
  readonly about?: About;
}

/**
 * What a computed field is made of. It is granted where all fields that it reads are, and it is itself; else it is null.
 * An expression or function reads nothing else, and must not fail on any item, whatever it holds.
 */
export type ComputedOptions = Pick<Computed, 'from'> &
  (Required<Pick<Computed, 'sql'>> | Required<Pick<Computed, 'value'>>);
