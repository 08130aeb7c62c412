import fc from 'fast-check';
import { operatorsOf } from '../../../src/engine';
import { operandsFor } from '../pools';
import { type ModelField, tableOf } from '../tables';
import type { RawFilter } from '../world';

type Arb<T> = fc.Arbitrary<T>;
type Clause = readonly [name: string, filter: unknown];

/**
 * Many clauses about one row, most of them through the same relation; some of them in a nested `_and`.
 * @param anyOf arbitrary clauses through one of the relations
 */
export function crowd(
  related: readonly ModelField[],
  anyOf: (fields: readonly ModelField[]) => Arb<Clause>,
): Arb<readonly RawFilter[]> {
  const lists = related.filter(({ shape }) => shape.kind === 'to-many');
  const clauses = (fields: readonly ModelField[]): Arb<Clause[]> => {
    const mild = fc.array(fc.constantFrom(...fields).chain(mildClause), {
      minLength: 3,
      maxLength: 8,
      size: 'max',
    });
    const two = lists.length === 0 ? fc.constant([]) : fc.constantFrom(...lists).chain(apart);
    return fc.oneof(
      fc.array(anyOf(fields), { minLength: 4, maxLength: 10, size: 'max' }),
      fc.tuple(mild, two).map(([several, both]) => [...several, ...both]),
      fc.tuple(mild, two).map(([several, both]) => [...both, ...several.slice(0, 1)]),
    );
  };
  return fc
    .array(fc.constantFrom(...related), { minLength: 1, maxLength: 2 })
    .chain(clauses)
    .chain((each) => fc.tuple(...each.map(wrapped)));
}

const wrapped = ([name, filter]: Clause): Arb<RawFilter> =>
  fc
    .nat({ max: 3 })
    .map((draw) => (draw === 0 ? { _and: [{ [name]: filter }] } : { [name]: filter }));

/** A clause that is true for most rows, so that many of them together are true for some. */
function mildClause({ shape }: ModelField): Arb<Clause> {
  if (shape.kind === 'column') throw new Error(`${shape.name} leads nowhere`);
  return pairOf(shape.target).map(([one, other]): Clause => {
    if (shape.kind === 'to-one') return [shape.name, other];
    return [shape.name, { _some: other, ...(shape.through && { _none: one }) }];
  });
}

/** Two clauses about a list that only two different rows of it can meet. */
const apart = ({ shape }: ModelField): Arb<Clause[]> =>
  shape.kind === 'to-many'
    ? pairOf(shape.target).map(([one, other]) => [
        [shape.name, { _some: one }],
        [shape.name, { _some: other }],
      ])
    : fc.constant([]);

const OPPOSITES = [
  ['_eq', '_neq'],
  ['_lt', '_gte'],
  ['_null', '_nnull'],
] as const;

/** A condition on a row and its opposite. */
function pairOf(collection: string): Arb<readonly [RawFilter, RawFilter]> {
  const columns = [...tableOf(collection).fields.values()].flatMap(({ shape, pool }) =>
    shape.kind === 'to-many' || shape.concealed || operandsFor(pool).length === 0
      ? []
      : [{ name: shape.name, pool, serving: operatorsOf(shape.type) }],
  );
  return fc.constantFrom(...columns).chain(({ name, pool, serving }) => {
    const words = OPPOSITES.filter(([word]) => serving.includes(word));
    return fc
      .tuple(fc.constantFrom(...words), fc.constantFrom(...operandsFor(pool)))
      .map(([[one, other], value]) => {
        const operand = one === '_null' ? true : value;
        return [{ [name]: { [one]: operand } }, { [name]: { [other]: operand } }] as const;
      });
  });
}
