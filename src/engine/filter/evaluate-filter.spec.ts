import { meets, type SampleRow } from '../sample.spec-support';
import type { Cell } from '../schema/value';

/** Operator, operand, cells that meet it, cells that don't. */
type Line = readonly [
  operator: string,
  operand: unknown,
  holds: readonly Cell[],
  fails: readonly Cell[],
];

const A = 'aaaaaaaa-0000-4000-8000-00000000000a';
const B = 'aaaaaaaa-0000-4000-8000-00000000000b';
const C = 'aaaaaaaa-0000-4000-8000-00000000000c';

const numbers = (low: Cell, middle: Cell, high: Cell): Line[] => [
  ['_eq', middle, [middle], [low, high, null]],
  ['_neq', middle, [low, high, null], [middle]],
  ['_lt', middle, [low], [middle, high, null]],
  ['_lte', middle, [low, middle], [high, null]],
  ['_gt', middle, [high], [low, middle, null]],
  ['_gte', middle, [middle, high], [low, null]],
  ['_in', [low, high], [low, high], [middle, null]],
  ['_in', [], [], [low, middle, high, null]],
  ['_nin', [low, high], [middle, null], [low, high]],
  ['_nin', [], [low, middle, high, null], []],
  ['_between', [low, middle], [low, middle], [high, null]],
  ['_between', [high, low], [], [low, middle, high, null]],
  ['_nbetween', [low, middle], [high, null], [low, middle]],
  ['_nbetween', [high, low], [low, middle, high, null], []],
  ['_null', true, [null], [low, middle, high]],
  ['_null', false, [low, middle, high], [null]],
  ['_nnull', true, [low, middle, high], [null]],
  ['_nnull', false, [null], [low, middle, high]],
];

const TABLE: Readonly<Record<string, readonly Line[]>> = {
  integer: [
    ...numbers(-5, 0, 7),
    ['_eq', '007', [7], [0, null]],
    ['_lt', 10, [9], [10, 100, null]],
  ],
  bigint: [
    ...numbers('-9007199254740993', '0', '9007199254740993'),
    ['_eq', '9007199254740993', ['9007199254740993'], ['9007199254740992', null]],
    ['_lt', 10, ['9'], ['10', '100', null]],
  ],
  decimal: [
    ...numbers('-1.50', '0.10', '9.99'),
    ['_eq', '1.5', ['1.50', '1.5', '01.500'], ['1.51', null]],
    ['_eq', 1.5, ['1.50'], ['-1.50', null]],
    ['_in', ['1.0', 2], ['1', '2.00'], ['1.01', null]],
    ['_lt', '10', ['9.99'], ['10.00', '100', 'NaN', 'Infinity', null]],
    ['_gt', '10', ['10.01', 'NaN', 'Infinity'], ['9', '-Infinity', null]],
  ],
  double: [
    ...numbers(-0.5, 0.25, 1.75),
    ['_eq', 0, [0, -0], [Number.MIN_VALUE, NaN, null]],
    ['_gt', 1, [2, NaN, Infinity], [1, -Infinity, null]],
    ['_neq', 1, [2, NaN, Infinity, null], [1]],
  ],
  boolean: [
    ['_eq', true, [true], [false, null]],
    ['_eq', 'false', [false], [true, null]],
    ['_neq', true, [false, null], [true]],
    ['_null', true, [null], [true, false]],
    ['_null', 'false', [true, false], [null]],
    ['_nnull', true, [true, false], [null]],
    ['_nnull', false, [null], [true, false]],
  ],
  text: [
    ...numbers('Bb', 'bb', 'c'),
    // By code point: capitals before small letters, U+FFFF before the astral planes.
    ['_lt', 'a', ['', 'Z', 'A', '10', '9'], ['a', 'aa', 'ä', null]],
    ['_lt', '\u{10000}', ['\uffff', '\ue000', '\ud7ff'], ['\u{10000}', '\u{10ffff}', null]],
    ['_gt', '\uffff', ['\u{10000}', '\u{1f600}'], ['\uffff', '\ufffd', 'z', null]],
    [
      '_between',
      ['\ue000', '\u{10000}'],
      ['\ue000', '\uffff', '\u{10000}'],
      ['\ud7ff', '\u{10001}', null],
    ],
    ['_empty', true, ['', null], [' ', 'a']],
    ['_empty', false, [' ', 'a'], ['', null]],
    ['_nempty', true, [' ', 'a'], ['', null]],
    ['_nempty', false, ['', null], [' ', 'a']],
    ['_contains', 'b', ['abc', 'b'], ['aBc', '', null]],
    ['_contains', '', ['', 'abc'], [null]],
    ['_contains', '%', ['5%'], ['5', null]],
    ['_contains', 'a_c', ['a_c'], ['abc', null]],
    ['_contains', '\\', ['a\\b'], ['ab', null]],
    ['_ncontains', 'b', ['aBc', '', null], ['abc', 'b']],
    ['_ncontains', '', [null], ['', 'abc']],
    ['_icontains', 'B', ['abc', 'aBc'], ['ac', '', null]],
    ['_icontains', 'ÄÖ', ['xäöx', 'ÄÖ'], ['ao', null]],
    ['_icontains', 'ss', ['ASS'], ['ß', null]],
    ['_nicontains', 'B', ['ac', '', null], ['abc', 'aBc']],
    ['_starts_with', 'ab', ['ab', 'abc'], ['Abc', 'cab', '', null]],
    ['_starts_with', '', ['', 'a'], [null]],
    ['_nstarts_with', 'ab', ['Abc', 'cab', '', null], ['ab', 'abc']],
    ['_istarts_with', 'AB', ['abc', 'aBc'], ['cab', null]],
    ['_nistarts_with', 'AB', ['cab', null], ['abc', 'aBc']],
    ['_ends_with', 'bc', ['bc', 'abc'], ['abC', 'bcd', '', null]],
    ['_ends_with', '', ['', 'a'], [null]],
    ['_nends_with', 'bc', ['abC', 'bcd', '', null], ['bc', 'abc']],
    ['_iends_with', 'BC', ['abc', 'aBc'], ['bcd', null]],
    ['_niends_with', 'BC', ['bcd', null], ['abc', 'aBc']],
    // Longer than the column: it matches nothing, and is not an error.
    ['_eq', 'longer than five', [], ['longe', null]],
    ['_nin', ['longer than five'], ['longe', null], []],
  ],
  enum: [
    ['_eq', 'draft', ['draft'], ['live', null]],
    ['_neq', 'draft', ['live', null], ['draft']],
    ['_in', ['draft'], ['draft'], ['live', null]],
    ['_in', [], [], ['draft', null]],
    ['_nin', ['draft'], ['live', null], ['draft']],
    ['_nin', [], ['draft', null], []],
    ['_null', true, [null], ['draft']],
    ['_null', false, ['draft'], [null]],
    ['_nnull', true, ['draft'], [null]],
    ['_nnull', false, [null], ['draft']],
  ],
  uuid: [
    ['_eq', A, [A], [B, null]],
    ['_eq', A.toUpperCase(), [A], [B, null]],
    ['_neq', A, [B, null], [A]],
    ['_in', [A, B], [A, B], [C, null]],
    ['_in', [], [], [A, null]],
    ['_nin', [A, B], [C, null], [A, B]],
    ['_nin', [], [A, null], []],
    ['_null', true, [null], [A]],
    ['_null', false, [A], [null]],
    ['_nnull', true, [A], [null]],
    ['_nnull', false, [null], [A]],
  ],
  date: [...numbers('0001-01-01', '2024-02-29', '9999-12-31')],
  time: [
    ...numbers('00:00:00.000', '12:30:00.500', '23:59:59.999'),
    ['_eq', '12:30:00', ['12:30:00.000'], ['12:30:00.001', null]],
  ],
  timestamp: [
    ...numbers('0001-01-01T00:00:00.000Z', '2024-02-29T12:00:00.000Z', '9999-12-31T23:59:59.999Z'),
    [
      '_eq',
      '2024-02-29T13:30:00.5+01:30',
      ['2024-02-29T12:00:00.500Z'],
      ['2024-02-29T12:00:00.000Z', null],
    ],
    [
      '_lt',
      '2024-01-01T00:00:00+01:00',
      ['2023-12-31T22:59:59.999Z'],
      ['2023-12-31T23:00:00.000Z', null],
    ],
  ],
  json: [
    ['_null', true, [null], [0, false, '', [], {}, [null]]],
    ['_null', false, [0, false, [], {}], [null]],
    ['_nnull', true, [0, false, [], {}], [null]],
    ['_nnull', false, [null], [0, [], {}]],
    ['_empty', true, [null, []], [{}, [null], [[]], 0, false, { a: 1 }]],
    ['_empty', false, [{}, [1], 0], [null, []]],
    ['_nempty', true, [{}, [1], 0], [null, []]],
    ['_nempty', false, [null, []], [{}, [1]]],
  ],
  array: [
    ['_null', true, [null], [[], ['a']]],
    ['_null', false, [[], ['a']], [null]],
    ['_nnull', true, [[], ['a']], [null]],
    ['_nnull', false, [null], [[], ['a']]],
    ['_empty', true, [null, []], [['a'], ['']]],
    ['_empty', false, [['a'], ['']], [null, []]],
    ['_nempty', true, [['a'], ['']], [null, []]],
    ['_nempty', false, [null, []], [['a']]],
  ],
};

describe('every operator on every type of column', () => {
  describe.each(Object.entries(TABLE))('%s', (type, lines) => {
    it.each(lines)('%s %j is true for %j, not for %j', (operator, operand, holds, fails) => {
      const answer = (cell: Cell): boolean =>
        meets({ [type]: { [operator]: operand } }, { [type]: cell });
      expect(holds.filter((cell) => !answer(cell))).toEqual([]);
      expect(fails.filter(answer)).toEqual([]);
    });

    it('has a line for NULL under every operator of the table', () => {
      const without = lines.filter(([, , holds, fails]) => ![...holds, ...fails].includes(null));
      expect(without).toEqual([]);
    });
  });
});

describe('a function of a column', () => {
  const at = { timestamp: '2024-12-31T23:58:59.999Z' };
  it.each<[unknown, SampleRow, boolean]>([
    [{ 'year(timestamp)': { _eq: 2024 } }, at, true],
    [{ 'week(timestamp)': { _eq: 1 } }, at, true],
    [{ 'weekday(timestamp)': { _in: [0, 2] } }, at, true],
    [{ 'second(timestamp)': { _eq: 59 } }, at, true],
    [{ 'year(timestamp)': { _lt: 2024 } }, at, false],
    [{ 'year(timestamp)': { _eq: 2024 } }, {}, false],
    [{ 'year(timestamp)': { _neq: 2024 } }, {}, true],
    [{ 'year(timestamp)': { _nin: [2024] } }, {}, true],
    [{ 'year(timestamp)': { _nbetween: [1, 9999] } }, {}, true],
    [{ 'year(timestamp)': { _null: true } }, {}, true],
    [{ 'year(timestamp)': { _nnull: true } }, at, true],
    [{ 'month(date)': { _between: [2, 3] } }, { date: '2024-02-01' }, true],
    [{ 'hour(time)': { _gte: 12 } }, { time: '11:59:59.999' }, false],
    [{ 'count(json)': { _eq: 2 } }, { json: [1, null] }, true],
    [{ 'count(json)': { _null: true } }, { json: { length: 2 } }, true],
    [{ 'count(json)': { _null: true } }, { json: 'ab' }, true],
    [{ 'count(array)': { _eq: 0 } }, { array: [] }, true],
    [{ 'count(array)': { _eq: 0 } }, {}, false],
  ])('%j of %j is %s', (filter, row, expected) => {
    expect(meets(filter, row)).toBe(expected);
  });
});

describe('members of a filter', () => {
  const row = { integer: 5, text: 'five' };
  it.each<[string, unknown, boolean]>([
    ['no filter', null, true],
    ['an absent filter', undefined, true],
    ['{}', {}, true],
    ['an empty _and', { _and: [] }, true],
    ['an empty _or', { _or: [] }, false],
    ['an empty object in _and', { _and: [{}] }, true],
    ['an empty object in _or', { _or: [{}] }, true],
    ['two fields are AND-ed', { integer: { _eq: 5 }, text: { _eq: 'six' } }, false],
    ['two operators are AND-ed', { integer: { _gt: 1, _lt: 4 } }, false],
    ['two operators that are both true', { integer: { _gt: 1, _lt: 6 } }, true],
    ['_or with a true member', { _or: [{ integer: { _eq: 4 } }, { text: { _eq: 'five' } }] }, true],
    [
      '_or without a true member',
      { _or: [{ integer: { _eq: 4 } }, { text: { _eq: 'six' } }] },
      false,
    ],
    ['_and with a field', { _and: [{ integer: { _eq: 5 } }], text: { _eq: 'six' } }, false],
    ['_or with _and', { _or: [{}], _and: [{ _or: [] }] }, false],
    ['an empty list with a field', { integer: { _eq: 5, _in: [] } }, false],
    ['an empty _nin with a field', { integer: { _eq: 5, _nin: [] } }, true],
  ])('%s', (_, filter, expected) => {
    expect(meets(filter, row)).toBe(expected);
  });
});
