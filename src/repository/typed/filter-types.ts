import type { KeyOf } from '../../common/schema/fits';
import type { Keyed, Names, Typed, Untyped } from './entity-types';

/** A variable: `$NOW`, `$CURRENT_USER.department`. It is replaced when the query is read. */
type Variable = `$${string}`;

/**
 * A filter of items, checked against the entity: operators by field, all of which must hold; `_and`, `_or`; filters of
 * related rows; functions of fields.
 *
 *     { status: { _in: ['draft', 'issued'] }, customer: { name: { _icontains: 'inc' } }, 'year(issued_at)': { _eq: 2030 } }
 */
export type Filter<E = Untyped> = Typed<
  E,
  Untyped,
  { readonly [K in Names<E>]?: Condition<E[K]> } & {
    readonly _and?: readonly Filter<E>[];
    readonly _or?: readonly Filter<E>[];
    /** A function of a field: `year(issued_at)`, `count(lines)`. */
    readonly [call: `${string}(${string})`]: Ordered<number> | undefined;
  }
>;

interface Nullness {
  readonly _null?: boolean;
  readonly _nnull?: boolean;
}

interface Emptiness extends Nullness {
  readonly _empty?: boolean;
  readonly _nempty?: boolean;
}

interface Equality<V> extends Nullness {
  readonly _eq?: V | Variable;
  readonly _neq?: V | Variable;
  readonly _in?: readonly (V | Variable)[];
  readonly _nin?: readonly (V | Variable)[];
}

interface Ordered<V> extends Equality<V> {
  readonly _lt?: V | Variable;
  readonly _lte?: V | Variable;
  readonly _gt?: V | Variable;
  readonly _gte?: V | Variable;
  readonly _between?: readonly [V | Variable, V | Variable];
  readonly _nbetween?: readonly [V | Variable, V | Variable];
}

/**
 * Operators of everything that answers give as text: also UUIDs, times and long numbers. The service checks which of
 * them a column has.
 */
interface Textual extends Ordered<string>, Emptiness {
  readonly _contains?: string;
  readonly _ncontains?: string;
  readonly _icontains?: string;
  readonly _nicontains?: string;
  readonly _starts_with?: string;
  readonly _nstarts_with?: string;
  readonly _istarts_with?: string;
  readonly _nistarts_with?: string;
  readonly _ends_with?: string;
  readonly _nends_with?: string;
  readonly _iends_with?: string;
  readonly _niends_with?: string;
  readonly _regex?: string;
}

type Condition<P> = unknown extends P ? Untyped : ConditionOf<NonNullable<P>>;

type ConditionOf<P> = [P] extends [boolean]
  ? Equality<boolean>
  : [P] extends [number]
    ? Ordered<P>
    : [P] extends [Date | string]
      ? string extends P
        ? Textual
        : [P] extends [string]
          ? Equality<P>
          : Ordered<string>
      : [P] extends [readonly (infer Each)[]]
        ? OfList<Each>
        : OfObject<Extract<P, Keyed>>;

/** A list that is typed by keys leads to rows of an unknown type. */
type OfList<Each> = [Extract<Each, Keyed>] extends [never]
  ? Emptiness & { readonly _some?: Untyped; readonly _none?: Untyped }
  : Filter<Extract<Each, Keyed>> &
      Nullness & {
        readonly _some?: Filter<Extract<Each, Keyed>>;
        readonly _none?: Filter<Extract<Each, Keyed>>;
      };

type OfObject<Target> = [Target] extends [never]
  ? Emptiness
  : Filter<Target> & Ordered<KeyOf<Target>>;
