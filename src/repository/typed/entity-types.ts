import type { KeyOf } from '../../common/schema/fits';

/** The type used where no entity is named: nothing is checked. */
export type Untyped = Readonly<Record<string, unknown>>;

/** `Plain` where no entity is named. */
export type Typed<E, Plain, Checked> = string extends keyof E ? Plain : Checked;

/** The names of the properties that are not methods. */
export type Names<E> = {
  [K in keyof E]-?: E[K] extends (...args: never[]) => unknown ? never : K;
}[keyof E] &
  string;

/**
 * An entity is distinguished from an object in a JSON field by its `id`. A relation that is declared by the key alone,
 * such as `author!: string | null`, reveals nothing about the other row.
 */
export interface Keyed {
  readonly id: string | number;
}

type Member<P> = P extends readonly (infer Each)[] ? Each : P;

/** The entity that a property leads to; `never` without one. */
export type Leads<P> = Extract<Member<NonNullable<P>>, Keyed>;

/** The properties that lead to another row, or may: the value could be another row's key. */
export type Leading<E> = {
  [K in Names<E>]: [Exclude<Member<NonNullable<E[K]>>, Date | boolean>] extends [never] ? never : K;
}[Names<E>];

/**
 * An item as it is answered. A field that was not asked for is missing. A field that the caller may not see is null, so
 * every field but the key may be null.
 */
export type Item<E = Untyped> = Typed<
  E,
  Untyped,
  { readonly [K in Names<E>]?: Shown<E[K]> | (K extends 'id' ? never : null) }
>;

type Shown<P> = unknown extends P ? unknown : ShownAs<P>;
type ShownAs<P> = P extends Date
  ? string
  : P extends readonly (infer Each)[]
    ? readonly ShownAs<Each>[]
    : P extends Keyed
      ? KeyOf<P> | Item<P>
      : P;

/**
 * The fields of an item to be written. What is left out stays as it is in an update, and gets its preset or default in
 * a create. Related items are given by key or as nested payloads.
 *
 *     { number: 'A-1', customer: 'C-7', lines: [{ price: '2.50' }] }
 */
export type Payload<E = Untyped> = Typed<E, Untyped, { readonly [K in Names<E>]?: Given<E[K]> }>;

type Given<P> = unknown extends P ? unknown : GivenAs<P>;
type GivenAs<P> = P extends Date
  ? string
  : P extends readonly (infer Each)[]
    ? GivenList<Each>
    : P extends Keyed
      ? KeyOf<P> | Payload<P>
      : P;

type GivenList<Each> =
  | readonly GivenAs<Each>[]
  | {
      readonly create?: readonly (Each extends Keyed ? GivenAs<Each> : unknown)[];
      readonly update?: readonly (Each extends Keyed ? Payload<Each> : unknown)[];
      readonly delete?: readonly (Each extends Keyed ? KeyOf<Each> : Each)[];
    };

/** A payload before any check: the compiler knows the names of fields, but nothing of the values. */
export type Sent<E = Untyped> = Typed<E, Untyped, { readonly [K in Names<E>]?: unknown }>;

/** Fields as they are stored: a relation by its key, a moment as text. Lists of related rows are not stored. */
export type Stored<E = Untyped> = Typed<E, Untyped, { readonly [K in Names<E>]?: StoredAs<E[K]> }>;

type StoredAs<P> = unknown extends P
  ? unknown
  : P extends Date
    ? string
    : P extends readonly (infer Each)[]
      ? [Each] extends [Keyed]
        ? never
        : P
      : P extends Keyed
        ? KeyOf<P>
        : P;
