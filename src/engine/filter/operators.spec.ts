import { faultOf, inQuery, inRule, schema } from '../sample.spec-support';
import { openLookup } from '../rules/rule';
import { OPERATORS, operatorsOf } from './operators';
import { parseFilter } from './parse-filter';
import type { ScalarType } from '../schema/schema';

const ORDER = '_eq _neq _lt _lte _gt _gte _in _nin _between _nbetween _null _nnull';
const TEXT =
  '_eq _neq _lt _lte _gt _gte _in _nin _between _nbetween _null _nnull _empty _nempty _contains _ncontains ' +
  '_icontains _nicontains _starts_with _nstarts_with _istarts_with _nistarts_with _ends_with _nends_with ' +
  '_iends_with _niends_with';

const SERVES: readonly (readonly [ScalarType, string])[] = [
  ['integer', ORDER],
  ['bigint', ORDER],
  ['decimal', ORDER],
  ['double', ORDER],
  ['date', ORDER],
  ['time', ORDER],
  ['timestamp', ORDER],
  ['text', TEXT],
  ['enum', '_eq _neq _in _nin _null _nnull'],
  ['uuid', '_eq _neq _in _nin _null _nnull'],
  ['boolean', '_eq _neq _null _nnull'],
  ['json', '_null _nnull _empty _nempty'],
  ['array', '_null _nnull _empty _nempty'],
];

/** A valid operand for each type, so that only the operator can be refused. */
const ONE: Readonly<Record<ScalarType, unknown>> = {
  integer: 1,
  bigint: '1',
  decimal: '1.0',
  double: 1.5,
  boolean: true,
  text: 'a',
  enum: 'draft',
  uuid: 'aaaaaaaa-0000-4000-8000-000000000001',
  date: '2024-01-01',
  time: '12:00:00',
  timestamp: '2024-01-01T00:00:00Z',
  json: {},
  array: [],
};

const operandFor = (operator: string, type: ScalarType): unknown => {
  if (/_n?(null|empty)$/.test(operator)) return true;
  if (/_n?in$/.test(operator)) return [ONE[type]];
  if (/between$/.test(operator)) return [ONE[type], ONE[type]];
  return ONE[type];
};

describe('operators by type', () => {
  it('knows the operators of the language and no other', () => {
    expect([...OPERATORS.keys()].sort()).toEqual([...TEXT.split(' '), '_regex'].sort());
  });

  it.each(SERVES)('%s admits %s', (type, names) => {
    const served = TEXT.split(' ').filter((operator) => {
      try {
        parseFilter({ [type]: { [operator]: operandFor(operator, type) } }, 'things', inQuery);
        return true;
      } catch {
        return false;
      }
    });
    expect(served).toEqual(TEXT.split(' ').filter((each) => names.split(' ').includes(each)));
    expect(operatorsOf(type).sort()).toEqual(names.split(' ').sort());
  });

  it.each(SERVES)('%s refuses other operators and names them', (type, names) => {
    for (const operator of TEXT.split(' ').filter((each) => !names.split(' ').includes(each))) {
      const filter = { [type]: { [operator]: operandFor(operator, type) } };
      const fault = faultOf(() => parseFilter(filter, 'things', inQuery));
      expect(fault).toMatchObject({
        kind: 'malformed',
        path: ['filter', type, operator],
        reason: `cannot be used with a value of type ${type}`,
      });
    }
  });
});

describe('_regex', () => {
  const validation = { lookup: openLookup(schema), position: 'rule', regex: true } as const;

  it.each([
    ['a query', inQuery],
    ['the row filter of a rule', inRule],
  ])('is refused in %s', (_, setting) => {
    const fault = faultOf(() => parseFilter({ text: { _regex: 'a' } }, 'things', setting));
    expect(fault).toMatchObject({
      kind: 'malformed',
      reason: 'can only be used in the validation of a rule',
      path: expect.arrayContaining(['text', '_regex']),
    });
  });

  it.each(['^a+$', '(a|b)*c', '\\d{3}', '[^@]+@example\\.com$', ''])(
    'accepts %j where it is admitted',
    (pattern) => {
      expect(parseFilter({ text: { _regex: pattern } }, 'things', validation)).toMatchObject({
        test: 'regex',
      });
    },
  );

  it.each([
    ['look-ahead', '(?=a)'],
    ['look-behind', '(?<!a)b'],
    ['a back reference', '(a)\\1'],
    ['an open group', '('],
    ['a thousand and one characters', 'a'.repeat(1001)],
    ['a program that is too long', '(?:\\pL{1000})'.repeat(70)],
    ['a number', 1],
    ['null', null],
    ['U+0000', 'a\u0000'],
  ])('refuses %s', (_, pattern) => {
    const fault = faultOf(() => parseFilter({ text: { _regex: pattern } }, 'things', validation));
    expect(fault).toMatchObject({ kind: 'malformed', path: ['filter', 'text', '_regex'] });
  });

  it('refuses one that is too long with the bound', () => {
    const filter = { text: { _regex: 'a'.repeat(1001) } };
    expect(faultOf(() => parseFilter(filter, 'things', validation))).toMatchObject({
      reason: expect.stringContaining('of at most 1000 characters'),
    });
  });

  it.each(['integer', 'uuid', 'enum', 'json'])('is refused on %s even there', (field) => {
    expect(
      faultOf(() => parseFilter({ [field]: { _regex: 'a' } }, 'things', validation)).kind,
    ).toBe('malformed');
  });
});
