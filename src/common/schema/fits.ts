import type { ScalarType } from '../../engine';
import type { Decorate } from './column-decorator';
import type { TargetReference } from './field-declaration';

/**
 * Decorates a property that can take what the field holds: nothing of that may lie outside of the property's type.
 * @typeParam V each way in which it may be held, as a list of one: one of these is enough
 */
export type DecorateTaking<V extends readonly [unknown]> = <
  T extends object,
  const K extends string | symbol,
>(
  prototype: T,
  property: K & (K extends keyof T ? Taken<V, T[K]> : unknown),
) => void;

type Taken<V extends readonly [unknown], P> =
  true extends TakenBy<V, P> ? unknown : { 'the type of the property must take': V[0] };

type TakenBy<V extends readonly [unknown], P> = V extends readonly [infer Type]
  ? [Type] extends [P]
    ? true
    : false
  : never;

/** `N` as it is inferred of `{ nullable: true }`; where nothing is said it is false. */
export interface Nullability<N extends boolean> {
  readonly nullable?: N;
}

export type OrNull<V extends readonly [unknown], N extends boolean> = V extends readonly [
  infer Type,
]
  ? [true extends N ? Type | null : Type]
  : never;

export type ListOf<V extends readonly [unknown]> = V extends readonly [infer Each]
  ? [Each[]]
  : never;

/**
 * What fields of a type hold, in answers and as TypeORM reads them. Long and exact numbers are text, which loses no
 * digit; a timestamp is text in answers, and to TypeORM a Date. What is in JSON is the team's to know.
 */
interface PropertyTypesByScalar {
  integer: [number];
  double: [number];
  bigint: [string];
  decimal: [string];
  boolean: [boolean];
  text: [string];
  enum: [string];
  uuid: [string];
  date: [string];
  time: [string];
  timestamp: [Date] | [string];
  json: [never];
  array: [never];
}

export type PropertyTypes<T extends ScalarType> = PropertyTypesByScalar[T];
export type ColumnOf<T extends ScalarType, N extends boolean> = DecorateTaking<
  OrNull<PropertyTypes<T>, N>
>;
export type Choice<C extends readonly string[], N extends boolean> = DecorateTaking<
  OrNull<[C[number]], N>
>;
export type ListColumn<
  T extends ScalarType,
  C extends readonly string[],
  N extends boolean,
> = DecorateTaking<OrNull<ListOf<T extends 'enum' ? [C[number]] : PropertyTypes<T>>, N>>;

/** One value or a list of them: that is the column's to say, and so is whether there may be none. */
export type Exposed<T extends ScalarType, C extends readonly string[]> = [T] extends [never]
  ? Decorate
  : DecorateTaking<ExposedAs<T, C> | ListOf<ExposedAs<T, C>>>;
type ExposedAs<T extends ScalarType, C extends readonly string[]> = T extends 'enum'
  ? [C[number]]
  : PropertyTypes<T>;

/** The key of an entity whose property `id` it is; of others it may be any. */
export type KeyOf<E> = E extends { readonly id: infer K extends string | number }
  ? K
  : string | number;

export type TargetOf<R extends TargetReference> = R extends () => new () => infer E ? E : never;

/** What leads to another row: that row, or its key. Of a collection that is only named neither is known. */
export type Referred<R extends TargetReference> = R extends string
  ? [never]
  : [TargetOf<R>] | [KeyOf<TargetOf<R>>];

/** The foreign key of the target that leads back. */
export type BackReference<R extends TargetReference> = R extends string
  ? string
  : keyof TargetOf<R> & string;
