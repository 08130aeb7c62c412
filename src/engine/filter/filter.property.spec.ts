import fc from 'fast-check';
import { ANNA, BERT, bound, meets, type SampleRow, rowOf, things } from '../sample.spec-support';
import type { Cell } from '../schema/value';
import { evaluateFilter, failedClauses } from './evaluate-filter';
import { holdsForNull } from './filter';

const integer = fc.integer({ min: -3, max: 3 });
const words = fc.string({
  unit: fc.constantFrom('a', 'A', 'b', 'ä', '\uffff', '\u{10000}', '%', '_', '\\'),
  maxLength: 3,
});
const uuids = fc.constantFrom(ANNA, BERT);
const dates = fc.constantFrom('0001-01-01', '2024-02-29', '2024-03-01', '9999-12-31');
const decimals = fc.constantFrom('-1.5', '0', '0.00', '1', '1.0', '9999.99');

const VALUES: Readonly<Record<string, fc.Arbitrary<Exclude<Cell, null>>>> = {
  integer,
  decimal: decimals,
  boolean: fc.boolean(),
  text: words,
  enum: fc.constantFrom('draft', 'live'),
  uuid: uuids,
  date: dates,
};

const TWINS: Readonly<Record<string, string>> = {
  _eq: '_neq',
  _in: '_nin',
  _between: '_nbetween',
  _null: '_nnull',
  _empty: '_nempty',
  _contains: '_ncontains',
  _icontains: '_nicontains',
  _starts_with: '_nstarts_with',
  _istarts_with: '_nistarts_with',
  _ends_with: '_nends_with',
  _iends_with: '_niends_with',
};
const ONLY_TEXT = /_i?(contains|starts_with|ends_with|empty)$/;
const ORDERED = ['integer', 'decimal', 'text', 'date'];

const servesField = (field: string, operator: string): boolean =>
  operator === '_between'
    ? ORDERED.includes(field)
    : operator === '_in'
      ? field !== 'boolean'
      : !ONLY_TEXT.test(operator) || field === 'text';

const operandOf = (operator: string, value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> => {
  if (operator === '_null' || operator === '_empty') return fc.boolean();
  if (operator === '_in') return fc.array(value, { maxLength: 3 });
  return operator === '_between' ? fc.tuple(value, value) : value;
};

/** A field, a cell of it that may be NULL, an operator that the field admits, and an operand. */
const probe = fc.constantFrom(...Object.entries(VALUES)).chain(([field, value]) =>
  fc
    .constantFrom(...Object.keys(TWINS).filter((operator) => servesField(field, operator)))
    .chain((operator) =>
      fc.record({
        field: fc.constant(field),
        operator: fc.constant(operator),
        operand: operandOf(operator, value),
        cell: fc.option(value),
      }),
    ),
);

const filters = fc.letrec<{ filter: object }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3 },
    probe.map(({ field, operator, operand }) => ({ [field]: { [operator]: operand } })),
    fc.array(tie('filter'), { maxLength: 3 }).map((members) => ({ _and: members })),
    fc.array(tie('filter'), { maxLength: 3 }).map((members) => ({ _or: members })),
  ),
})).filter;

const rows: fc.Arbitrary<SampleRow> = fc.record(
  Object.fromEntries(Object.entries(VALUES).map(([name, value]) => [name, fc.option(value)])),
);

describe('for every filter and row', () => {
  it('a negative operator is the negation of its twin, including for NULL', () => {
    fc.assert(
      fc.property(probe, ({ field, operator, operand, cell }) => {
        const twin = TWINS[operator] ?? '';
        const positive = meets({ [field]: { [operator]: operand } }, { [field]: cell });
        expect(meets({ [field]: { [twin]: operand } }, { [field]: cell })).toBe(!positive);
      }),
      { numRuns: 1000 },
    );
  });

  it('holdsForNull gives the same result as evaluating NULL', () => {
    fc.assert(
      fc.property(probe, fc.boolean(), ({ field, operator, operand }, negative) => {
        const filter = bound({
          [field]: { [negative ? (TWINS[operator] ?? '') : operator]: operand },
        });
        // A filter with an empty list is no longer a leaf.
        if (filter.kind !== 'leaf') return;
        expect(holdsForNull(filter)).toBe(evaluateFilter(filter, rowOf(things, {})));
      }),
    );
  });

  it('_and and _or keep their meaning, however they were simplified', () => {
    fc.assert(
      fc.property(fc.array(filters, { maxLength: 4 }), rows, (members, row) => {
        const each = members.map((member) => meets(member, row));
        expect(meets({ _and: members }, row)).toBe(each.every(Boolean));
        expect(meets({ _or: members }, row)).toBe(each.some(Boolean));
      }),
      { numRuns: 500 },
    );
  });

  it('an equality or a range is the same as its longer form', () => {
    fc.assert(
      fc.property(integer, integer, fc.option(integer), (low, high, cell) => {
        const row = { integer: cell };
        const [between, both] = [{ _between: [low, high] }, { _gte: low, _lte: high }];
        expect(meets({ integer: between }, row)).toBe(meets({ integer: both }, row));
        expect(meets({ integer: { _in: [low] } }, row)).toBe(meets({ integer: { _eq: low } }, row));
      }),
    );
  });

  it('a clause has failed exactly if the row does not meet the filter', () => {
    fc.assert(
      fc.property(filters, rows, (raw, row) => {
        const filter = bound({ _and: [raw, { integer: { _null: false } }] });
        const view = rowOf(things, row);
        const failed = failedClauses(filter, view);
        expect(failed.every((clause) => !evaluateFilter(clause, view))).toBe(true);
        if (evaluateFilter(filter, view)) expect(failed).toEqual([]);
      }),
    );
  });
});
