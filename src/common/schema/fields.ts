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
import { partOptions } from './part-options';

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
  text: <N extends boolean = false>(
    options: TextOptions & Nullability<N> = {},
  ): ColumnOf<'text', N> => {
    const { length, ...rest } = options;
    return column('text', rest, length === undefined ? {} : { type: 'varchar', length });
  },
  /** One of a fixed list of words: kept as text, or in an enum type of the database's if `type` names one. */
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
  integer: <N extends boolean = false>(
    options: IntegerOptions & Nullability<N> = {},
  ): ColumnOf<'integer', N> => column('integer', options),
  bigint: <N extends boolean = false>(
    options: NumberOptions & Nullability<N> = {},
  ): ColumnOf<'bigint', N> => column('bigint', options),
  decimal: <N extends boolean = false>(
    options: DecimalOptions & Nullability<N> = {},
  ): ColumnOf<'decimal', N> => column('decimal', options),
  double: <N extends boolean = false>(
    options: NumberOptions & Nullability<N> = {},
  ): ColumnOf<'double', N> => column('double', options),
  boolean: <N extends boolean = false>(
    options: BooleanOptions & Nullability<N> = {},
  ): ColumnOf<'boolean', N> => column('boolean', options),
  uuid: <N extends boolean = false>(
    options: FieldOptions & Nullability<N> = {},
  ): ColumnOf<'uuid', N> => column('uuid', options),
  date: <N extends boolean = false>(
    options: TimeOptions & Nullability<N> = {},
  ): ColumnOf<'date', N> => column('date', options),
  time: <N extends boolean = false>(
    options: TimeOptions & Nullability<N> = {},
  ): ColumnOf<'time', N> => column('time', options, { precision: 3 }),
  timestamp: <N extends boolean = false>(
    options: TimestampOptions & Nullability<N> = {},
  ): ColumnOf<'timestamp', N> => column('timestamp', options, { precision: 3 }),
  json: <N extends boolean = false>(
    options: FieldOptions & Nullability<N> = {},
  ): ColumnOf<'json', N> => column('json', options),
  /** @param options `choices`: of a list of `enum`, the words that there are */
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
   * No column: it is computed of other fields of the item whenever it is read. By `sql` it is filtered, sorted,
   * searched and aggregated as a column is; by `value`, a function, it is only shown.
   *
   * The SQL is tried at the start, on no row: what the database refuses of it stops the start. It must not fail on a
   * row either, as by `price / qty` where a `qty` is 0: a request that looks at such a row is refused as a whole (422
   * `UNPROCESSABLE_CONTENT`), and the log names the field and says what the database said. Write `nullif(qty, 0)`. A
   * function that throws, or gives what is no value of the type, leaves null in that item alone, and the log is told.
   */
  computed: <T extends ComputedType>(type: T, options: ComputedOptions): ColumnOf<T, false> =>
    declare({ kind: 'computed', type, ...options }),
  /** A property that has TypeORM's own `@Column`, `@ManyToOne` and their like, which say what it is. */
  expose:
    <T extends ExposedType = never, const C extends readonly string[] = readonly string[]>(
      options: ExposeOptions<T, C> = {},
    ): Exposed<T, C> =>
    (prototype: object, property: string | symbol) => {
      const name = String(property);
      const entity = prototype.constructor as EntityClass;
      declareField(prototype, name, () => exposedProperty(entity, name, options));
    },
  /** A foreign key. The column bears the property's name, unless another is given. */
  toOne: <R extends TargetReference, N extends boolean = false>(
    target: R,
    options: ToOneOptions & Nullability<N> = {},
  ): DecorateTaking<OrNull<Referred<R>, N>> => {
    const { onDelete = 'NO ACTION', constraint = true, ...others } = options;
    const { nullable = false, unique = false, column: name, index } = options;
    const { said } = partOptions(others);
    return (prototype, property) => {
      const relation = { onDelete, nullable, createForeignKeyConstraints: constraint };
      ManyToOne(entityOf(target), relation)(prototype, property);
      JoinColumn({ name: name ?? String(property) })(prototype, property);
      if (unique) Index({ unique })(prototype, property);
      const declaration = { kind: 'to-one', target, filled: false, ...said } as const;
      declare(index === false ? { ...declaration, index } : declaration)(prototype, property);
    };
  },
  /** The rows of another collection whose foreign key is ours. */
  toMany: <R extends TargetReference>(
    target: R,
    foreignKey: BackReference<R>,
  ): DecorateTaking<ListOf<Referred<R>>> => declare({ kind: 'one-to-many', target, foreignKey }),
  /** Rows linked by a junction collection with a life of its own. */
  through: <R extends TargetReference>(
    target: R,
    junction: Junction,
  ): DecorateTaking<ListOf<Referred<R>>> => declare({ kind: 'many-to-many', target, junction }),
  /**
   * Rows linked by a junction table that TypeORM keeps: whoever is granted the list is granted its links.
   * @param inverse the list of the target that owns the junction table, where this is its other side
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
