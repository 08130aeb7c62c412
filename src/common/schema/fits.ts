import type { ScalarType } from '../../engine';
import type { Decorate } from './column-decorator';
import type { TargetReference } from './field-declaration';

/**
 * A decorator for properties whose type can hold all values of the field; for others it does not compile.
 * @typeParam V a union of one-member tuples: the alternative types of the values; the property must be able to hold one
 * of them
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

/** `N` is inferred from `{ nullable: true }`, and is false where the option is left out. */
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
 * The types of values by field type, in answers and as TypeORM reads them. `bigint` and `decimal` are text, so that no
 * digit is lost, but in answers a bigint is a number where none is: a property of type `string | number` fits both. A
 * timestamp is text in answers, and a Date to TypeORM. What JSON holds, only the team knows.
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

type PropertyTypes<T extends ScalarType> = PropertyTypesByScalar[T];
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
> = DecorateTaking<OrNull<ListOf<T extends 'enum' | 'text' ? [C[number]] : PropertyTypes<T>>, N>>;

/** The column decides whether it holds one value or a list, and whether it may be null. */
export type Exposed<T extends ScalarType, C extends readonly string[]> = [T] extends [never]
  ? Decorate
  : DecorateTaking<ExposedAs<T, C> | ListOf<ExposedAs<T, C>>>;
type ExposedAs<T extends ScalarType, C extends readonly string[]> = T extends 'enum'
  ? [C[number]]
  : PropertyTypes<T>;

/** The type of the entity's key, if that is called `id`; otherwise any key. */
export type KeyOf<E> = E extends { readonly id: infer K extends string | number }
  ? K
  : string | number;

type TargetOf<R extends TargetReference> = R extends () => new () => infer E ? E : never;

/** A related row, or its key. Of a collection given by name, neither type is known. */
export type Referred<R extends TargetReference> = R extends string
  ? [never]
  : [TargetOf<R>] | [KeyOf<TargetOf<R>>];

/** The name of the target's foreign key that refers back. */
export type BackReference<R extends TargetReference> = R extends string
  ? string
  : keyof TargetOf<R> & string;
