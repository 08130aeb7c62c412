import fc from 'fast-check';
import { functionsOf, operatorsOf, type ScalarType } from '../../../src/engine';
import {
  FUNCTION_RESULTS,
  LIST_VARIABLES,
  MANY_PATHS,
  NUMBER_LIST_VARIABLES,
  operandsFor,
  VARIABLES,
} from '../pools';
import { type ModelField, tableOf } from '../tables';
import type { RawFilter } from '../world';
import { crowd } from './crowds';

type Arb<T> = fc.Arbitrary<T>;
type Member = [string, unknown];
type Place = 'rule' | 'query';

const made = new Map<string, Arb<RawFilter>>();

/** Random filters of a collection, nested to a depth. */
export function filterOf(collection: string, place: Place, depth = 3, least = 0): Arb<RawFilter> {
  const id = [collection, place, depth, least].join(' ');
  const known = made.get(id);
  if (known) return known;
  const member = memberOf(collection, place, depth);
  const filter = fc
    .oneof(
      { arbitrary: fc.array(member, { minLength: 1, maxLength: 1 }), weight: 6 },
      { arbitrary: fc.array(member, { minLength: 2, maxLength: 2 }), weight: 2 },
      ...(least === 0 ? [{ arbitrary: fc.constant([]), weight: 1 }] : []),
    )
    .map((members): RawFilter => Object.fromEntries(members));
  made.set(id, filter);
  return filter;
}

function memberOf(collection: string, place: Place, depth: number): Arb<Member> {
  const fields = [...tableOf(collection).fields.values()].filter(
    ({ shape }) => place === 'query' || !shape.concealed,
  );
  const columns = fields.filter(({ shape }) => shape.kind !== 'to-many');
  const called = fields.filter(({ shape }) => functionsOf(shape).length > 0);
  const related = fields.filter(({ shape }) => shape.kind !== 'column');
  const deeper = depth > 0 ? 1 : 0;
  return fc.oneof(
    { arbitrary: pick(columns).chain((field) => testsOf(field, place)), weight: 6 },
    ...(called.length > 0
      ? [{ arbitrary: pick(called).chain((field) => callOf(field, place)), weight: 2 }]
      : []),
    { arbitrary: logic('_and', collection, place, depth), weight: deeper },
    { arbitrary: logic('_or', collection, place, depth), weight: deeper * 2 },
    ...(related.length > 0
      ? [
          {
            arbitrary: crowd(related, (some) =>
              pick(some).chain((field) => relationOf(field, place, 1)),
            ).map((clauses): Member => ['_and', clauses]),
            weight: depth > 1 ? 1 : 0,
          },
          {
            arbitrary: pick(related).chain((field) => relationOf(field, place, depth)),
            weight: deeper * 4,
          },
        ]
      : []),
  );
}

/** Chooses the first few more often, so that they match. */
export const often = <T>(from: readonly T[]): Arb<T> =>
  fc.oneof(pick(from), pick(from.slice(0, FEW)));

const FEW = 5;

const pick = <T>(from: readonly T[]): Arb<T> => fc.constantFrom(...from);

const logic = (word: string, collection: string, place: Place, depth: number): Arb<Member> =>
  depth === 0
    ? fc.constant([word, []])
    : fc
        .array(
          fc.constant(null).chain(() => filterOf(collection, place, depth - 1)),
          { maxLength: 3 },
        )
        .map((members): Member => [word, members]);

/** About as many variables with a path as a query may name, each in a separate condition. */
export function manyVariables(collection: string): Arb<RawFilter> {
  const fields = [...tableOf(collection).fields.values()].filter(
    ({ shape }) => shape.kind !== 'to-many' && variablesFor(shape.type) === NAMES,
  );
  const test = fc
    .tuple(pick(fields), pick(['_eq', '_neq']), pick(MANY_PATHS))
    .map(([{ shape }, word, path]): RawFilter => ({ [shape.name]: { [word]: path } }));
  return fc
    .tuple(pick(['_and', '_or']), fc.array(test, { minLength: 10, maxLength: 24, size: 'max' }))
    .map(([word, tested]) => ({ [word]: tested }));
}

/** A relation without quantifiers, with quantifiers or conditions on the key, or with both. */
function relationOf(field: ModelField, place: Place, depth: number): Arb<Member> {
  const { shape } = field;
  if (shape.kind === 'column') throw new Error(`${shape.name} leads nowhere`);
  const inner = (least: number): Arb<RawFilter> => filterOf(shape.target, place, depth - 1, least);
  const bare = inner(1).filter((filter) => Object.keys(filter).length > 0);
  const quantified = (word: string): Arb<RawFilter> =>
    inner(0).map((filter) => ({ [word]: filter }));
  const keyed = (): Arb<RawFilter> =>
    testsOf(field, place).map(([, tested]) =>
      typeof tested === 'object' ? (tested as RawFilter) : { _eq: tested },
    );
  const size = fc
    .tuple(pick(['_null', '_nnull']), pick([true, false, 'false']))
    .map(([word, flag]): RawFilter => ({ [word]: flag }));
  const one =
    shape.kind === 'to-one'
      ? fc.oneof({ arbitrary: bare, weight: 3 }, { arbitrary: keyed(), weight: 1 })
      : fc.oneof(bare, quantified('_some'), quantified('_none'), size);
  return fc
    .oneof({ arbitrary: one, weight: 5 }, { arbitrary: fc.tuple(one, one).map(merge), weight: 1 })
    .map((filter): Member => [shape.name, filter]);
}

const merge = ([one, other]: [RawFilter, RawFilter]): RawFilter => ({ ...one, ...other });

function callOf({ shape }: ModelField, place: Place): Arb<Member> {
  return fc
    .tuple(
      pick(functionsOf(shape)),
      short(tests('integer', pick(FUNCTION_RESULTS), variablesFor('integer'), place), place),
    )
    .map(([fn, tested]): Member => [`${fn}(${shape.name})`, tested]);
}

function testsOf({ shape, pool }: ModelField, place: Place): Arb<Member> {
  if (shape.kind === 'to-many') throw new Error(`${shape.name} is a list`);
  const literals = operandsFor(pool);
  const literal = literals.length > 0 ? often(literals) : fc.constant('');
  const tested = tests(shape.type, literal, variablesFor(shape.type), place);
  return short(tested, place).map((each): Member => [shape.name, each]);
}

/** In a query, a plain value may replace `_eq` with the value. */
const short = (tested: Arb<RawFilter>, place: Place): Arb<unknown> =>
  fc.tuple(tested, fc.boolean()).map(([each, draw]) => {
    const [[word, value] = [], ...others] = Object.entries(each);
    const may = place === 'query' && draw && word === '_eq' && others.length === 0;
    return may ? value : each;
  });

/** One condition on a subject, or two that must both be true. */
function tests(
  type: ScalarType,
  literal: Arb<unknown>,
  variables: readonly string[],
  place: Place,
): Arb<RawFilter> {
  const one =
    variables.length === 0
      ? literal
      : fc.oneof({ arbitrary: literal, weight: 4 }, { arbitrary: pick(variables), weight: 1 });
  const test = pick(operatorsOf(type)).chain((name) =>
    operandOf(name, one, variables, place).map((operand): Member => [name, operand]),
  );
  return fc
    .oneof(
      { arbitrary: fc.array(test, { minLength: 1, maxLength: 1 }), weight: 5 },
      { arbitrary: fc.array(test, { minLength: 2, maxLength: 2 }), weight: 1 },
    )
    .map((members) => Object.fromEntries(members));
}

function operandOf(
  name: string,
  one: Arb<unknown>,
  variables: readonly string[],
  place: Place,
): Arb<unknown> {
  switch (name.replace('_n', '_')) {
    case '_ull':
    case '_null':
    case '_empty':
      return pick([true, true, false, 'false']);
    case '_between':
      return fc.tuple(one, one);
    case '_in': {
      const lists = listVariablesFor(variables);
      const member =
        lists.length === 0
          ? one
          : fc.oneof({ arbitrary: one, weight: 9 }, { arbitrary: pick(lists), weight: 1 });
      const list = fc.array(member, {
        minLength: name === '_nin' && place === 'rule' ? 1 : 0,
        maxLength: 3,
      });
      return lists.length === 0
        ? list
        : fc.oneof({ arbitrary: list, weight: 3 }, { arbitrary: pick(lists), weight: 1 });
    }
    default:
      return one;
  }
}

const NAMES = VARIABLES.name;

function listVariablesFor(variables: readonly string[]): readonly string[] {
  if (variables === NAMES) return LIST_VARIABLES;
  return variables === VARIABLES.number ? NUMBER_LIST_VARIABLES : [];
}

export function variablesFor(type: ScalarType): readonly string[] {
  switch (type) {
    case 'text':
    case 'enum':
    case 'uuid':
      return NAMES;
    case 'integer':
    case 'bigint':
    case 'decimal':
    case 'double':
      return VARIABLES.number;
    case 'timestamp':
      return VARIABLES.moment;
    case 'date':
      return VARIABLES.date;
    case 'time':
      return VARIABLES.clock;
    case 'boolean':
      return VARIABLES.flag;
    default:
      return [];
  }
}
