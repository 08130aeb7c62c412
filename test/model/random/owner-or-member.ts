import fc from 'fast-check';
import { operatorsOf, type ScalarType } from '../../../src/engine';
import { operandsFor } from '../pools';
import { type ModelField, type ModelTable, tableOf } from '../tables';
import type { RawFilter } from '../world';
import { often, variablesFor } from './filters';

type Arb<T> = fc.Arbitrary<T>;

/** Rows that belong to a user, directly or through a list: one such condition, or several of which one suffices. */
export const ownerOrMember = (table: ModelTable): Arb<RawFilter> =>
  fc
    .array(caseOf(table), { minLength: 1, maxLength: 3, size: 'max' })
    .map((cases) => (cases.length === 1 ? { ...cases[0] } : { _or: cases }));

/** An equality on the row itself or through one list, sometimes with another condition. */
function caseOf(table: ModelTable): Arb<RawFilter> {
  const lists = [...table.fields.values()].filter(({ shape }) => shape.kind === 'to-many');
  const bound =
    lists.length === 0
      ? equality(table)
      : fc.oneof(equality(table), fc.constantFrom(...lists).chain(throughList));
  return fc
    .tuple(bound, fc.option(equality(table), { freq: 1, nil: {} }), fc.nat({ max: 5 }))
    .map(([one, other, draw]) => (draw === 0 ? { ...other, ...one } : one));
}

function throughList({ shape }: ModelField): Arb<RawFilter> {
  if (shape.kind !== 'to-many') throw new Error(`${shape.name} is no list`);
  return fc
    .tuple(
      equality(tableOf(shape.target)),
      fc.constantFrom('_some', '_some', 'bare', 'bare', 'bare', '_none'),
    )
    .map(([inner, word]) => ({ [shape.name]: word === 'bare' ? inner : { [word]: inner } }));
}

/** An equality, mostly on an indexed column. */
function equality(table: ModelTable): Arb<RawFilter> {
  const columns = [...table.fields.values()].filter(
    ({ shape }) => shape.kind !== 'to-many' && !shape.concealed && mayEqual(shape.type),
  );
  const found = columns.filter(({ shape, indexed }) => indexed || shape.name === table.key);
  return fc
    .oneof(
      { arbitrary: fc.constantFrom(...found), weight: 9 },
      { arbitrary: fc.constantFrom(...columns), weight: 1 },
    )
    .chain((field) =>
      fc
        .oneof(
          valueOf(field).map((value): RawFilter => ({ _eq: value })),
          // Several values, since one would hardly ever match a row.
          fc
            .array(valueOf(field), { minLength: 3, maxLength: 6, size: 'max' })
            .map((values): RawFilter => ({ _in: values })),
        )
        .map((test) => ({ [field.shape.name]: test })),
    );
}

const mayEqual = (type: ScalarType): boolean => operatorsOf(type).includes('_in');

function valueOf({ shape, pool }: ModelField): Arb<unknown> {
  if (shape.kind === 'to-many') throw new Error(`${shape.name} is a list`);
  const literal = often(operandsFor(pool));
  const variables = variablesFor(shape.type);
  return variables.length === 0
    ? literal
    : fc.oneof(
        { arbitrary: literal, weight: 8 },
        { arbitrary: fc.constantFrom(...variables), weight: 1 },
      );
}
