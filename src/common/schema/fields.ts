import { type ColumnOptions, Index, JoinColumn, JoinTable, ManyToMany, ManyToOne } from 'typeorm';
import { entityOf } from './collection.decorator';
import { column, compose, declare } from './column-decorator';
import { exposedProperty } from './exposed-property';
import {
  type ComputedType,
  declareField,
  type EntityClass,
  type Junction,
  type TargetReference,
} from './field-declaration';
import type {
  BooleanOptions,
  ComputedOptions,
  DecimalOptions,
  Element,
  ExposedType,
  ExposeOptions,
  FieldOptions,
  IntegerOptions,
  NumberOptions,
  TextOptions,
  TimeOptions,
  TimestampOptions,
  ToOneOptions,
} from './field-options';
import type {
  BackReference,
  Choice,
  ColumnOf,
  DecorateTaking,
  Exposed,
  ListColumn,
  ListOf,
  Nullability,
  OrNull,
  Referred,
} from './fits';
import { keyField } from './key-field';
import { splitOptions } from './split-options';

/**
 * Decorators for the properties of an entity: each declares the column, the field in REST and GraphQL, and the bounds
 * that are checked. A property without one of them is not exposed. A property type that cannot hold the field's values
 * does not compile.
 *
 *     @Field.text({ length: 20, unique: true }) number!: string;
 *     @Field.toOne(() => Customer, { nullable: true }) customer!: string | null;
 */
export const Field = {
  key: keyField,
  /** A string. */
  text: <N extends boolean = false>(
    options: TextOptions & Nullability<N> = {},
  ): ColumnOf<'text', N> => {
    const { length, ...rest } = options;
    return column('text', rest, length === undefined ? {} : { type: 'varchar', length });
  },
  /** One of a fixed list of words: stored as text, or in an enum type of the database if `type` names one. */
  enum: <const C extends readonly string[], N extends boolean = false>(
    choices: C,
    options: FieldOptions & { readonly type?: string } & Nullability<N> = {},
  ): Choice<C, N> => {
    const { type: enumName, ...rest } = options;
    const sql: ColumnOptions = enumName
      ? { type: 'enum', enum: [...choices], enumName }
      : { length: 255 };
    return column('enum', rest, sql, { choices });
  },
  /** A whole number of 32 bits. */
  integer: <N extends boolean = false>(
    options: IntegerOptions & Nullability<N> = {},
  ): ColumnOf<'integer', N> => column('integer', options),
  /**
   * A whole number of 64 bits: in answers a number up to 2^53, beyond that its digits as a string. TypeORM reads it as a
   * string.
   */
  bigint: <N extends boolean = false>(
    options: NumberOptions & Nullability<N> = {},
  ): ColumnOf<'bigint', N> => column('bigint', options),
  /** An exact decimal number, as a string: `'12.50'`. */
  decimal: <N extends boolean = false>(
    options: DecimalOptions & Nullability<N> = {},
  ): ColumnOf<'decimal', N> => column('decimal', options),
  /** A floating-point number of 64 bits. */
  double: <N extends boolean = false>(
    options: NumberOptions & Nullability<N> = {},
  ): ColumnOf<'double', N> => column('double', options),
  boolean: <N extends boolean = false>(
    options: BooleanOptions & Nullability<N> = {},
  ): ColumnOf<'boolean', N> => column('boolean', options),
  uuid: <N extends boolean = false>(
    options: FieldOptions & Nullability<N> = {},
  ): ColumnOf<'uuid', N> => column('uuid', options),
  /** A day, as `'2024-02-29'`. */
  date: <N extends boolean = false>(
    options: TimeOptions & Nullability<N> = {},
  ): ColumnOf<'date', N> => column('date', options),
  /** A time of day without a zone, as `'12:30:45'` or `'12:30:45.678'`. */
  time: <N extends boolean = false>(
    options: TimeOptions & Nullability<N> = {},
  ): ColumnOf<'time', N> => column('time', options, { precision: 3 }),
  /** A moment, stored to the millisecond: in answers `'2024-02-29T12:30:45.678Z'`. TypeORM reads it as a Date. */
  timestamp: <N extends boolean = false>(
    options: TimestampOptions & Nullability<N> = {},
  ): ColumnOf<'timestamp', N> => column('timestamp', options, { precision: 3 }),
  /** Any JSON value, stored as `jsonb`. */
  json: <N extends boolean = false>(
    options: FieldOptions & Nullability<N> = {},
  ): ColumnOf<'json', N> => column('json', options),
  /**
   * A list of values of one type: `Field.array('text')` for `['red', 'blue']`.
   * @param options `choices`: the words of a list of `enum`, or of `text`
   */
  array: <
    T extends Element,
    const C extends readonly string[] = readonly string[],
    N extends boolean = false,
  >(
    element: T,
    options: FieldOptions & { readonly choices?: C } & Nullability<N> = {},
  ): ListColumn<T, C, N> => {
    const { choices, ...rest } = options;
    const described = { type: 'array', element, ...(choices && { choices }) } as const;
    return column(element, rest, { array: true }, described);
  },
  /**
   * A field without a column: computed from other fields of the item whenever it is read. With `sql` it can be
   * filtered, sorted, searched and aggregated like a column; with `value`, a function, it can only be shown.
   *
   * The SQL is tried at the start, on no row: if the database refuses it, the start stops. It must not fail on any row:
   * where it does, as `price / qty` does where `qty` is 0, the whole request is refused (422 `UNPROCESSABLE_CONTENT`),
   * and the log names the field and the database's reason. Write `nullif(qty, 0)`. Where a function throws, or returns
   * something that is not of the type, the field is null in that item alone, and the fault is logged.
   */
  computed: <T extends ComputedType>(type: T, options: ComputedOptions): ColumnOf<T, false> =>
    declare({ kind: 'computed', type, ...options }),
  /** A property with TypeORM's own decorators (`@Column`, `@ManyToOne` …), which define its type. */
  expose:
    <T extends ExposedType = never, const C extends readonly string[] = readonly string[]>(
      options: ExposeOptions<T, C> = {},
    ): Exposed<T, C> =>
    (prototype: object, property: string | symbol) => {
      const name = String(property);
      const entity = prototype.constructor as EntityClass;
      declareField(prototype, name, () => exposedProperty(entity, name, options));
    },
  /** A foreign key. The column has the name of the property, unless `column` gives another. */
  toOne: <R extends TargetReference, N extends boolean = false>(
    target: R,
    options: ToOneOptions & Nullability<N> = {},
  ): DecorateTaking<OrNull<Referred<R>, N>> => {
    const { onDelete = 'NO ACTION', constraint = true, ...others } = options;
    const { nullable = false, unique = false, column: name, index } = options;
    const { declared } = splitOptions(others);
    return (prototype, property) => {
      const relation = { onDelete, nullable, createForeignKeyConstraints: constraint };
      ManyToOne(entityOf(target), relation)(prototype, property);
      JoinColumn({ name: name ?? String(property) })(prototype, property);
      if (unique) Index({ unique })(prototype, property);
      const declaration = { kind: 'to-one', target, filled: false, ...declared } as const;
      declare(index === false ? { ...declaration, index } : declaration)(prototype, property);
    };
  },
  /** The rows of another collection whose foreign key refers to this one. */
  toMany: <R extends TargetReference>(
    target: R,
    foreignKey: BackReference<R>,
  ): DecorateTaking<ListOf<Referred<R>>> => declare({ kind: 'one-to-many', target, foreignKey }),
  /** Rows that are linked by a junction collection, which has its own fields and rules. */
  through: <R extends TargetReference>(
    target: R,
    junction: Junction,
  ): DecorateTaking<ListOf<Referred<R>>> => declare({ kind: 'many-to-many', target, junction }),
  /**
   * Rows that are linked by a junction table, which TypeORM creates: whoever is granted the list is granted its links.
   * @param inverse the list of the target that owns the junction table, where this is the other side
   */
  manyToMany: <R extends TargetReference>(
    target: R,
    inverse?: BackReference<R>,
  ): DecorateTaking<ListOf<Referred<R>>> =>
    compose(
      inverse === undefined
        ? compose(ManyToMany(entityOf(target)), JoinTable())
        : ManyToMany(entityOf(target), inverse),
      declare({ kind: 'many-to-many', target }),
    ),
};
