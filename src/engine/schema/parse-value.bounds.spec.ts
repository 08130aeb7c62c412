import { reading } from '../parsing.spec-support';
import type { ColumnType } from './parsed';
import { storedDecimal } from './parse-number';
import { parseValue } from './parse-value';

const SMALL: ColumnType = { type: 'integer', range: { min: -32768n, max: 32767n } };
const MONEY: ColumnType = { type: 'decimal', precision: 6, scale: 2 };
const WORD: ColumnType = { type: 'text', maxLength: 3 };
const STATE: ColumnType = { type: 'enum', choices: ['draft', 'live'] };
const LEVELS: ColumnType = { type: 'array', element: 'text', choices: ['low', 'high'] };

describe('bounds', () => {
  it.each<[string, ColumnType, unknown, unknown]>([
    ['the greatest of a smaller range', SMALL, 32767, 32767],
    ['one more than that', SMALL, 32768, 'misfit: range'],
    ['the least of it', SMALL, '-32768', -32768],
    ['one less than that', SMALL, '-32769', 'misfit: range'],
    ['an integer beyond 32 bits', { type: 'integer' }, 2147483648, 'misfit: range'],
    ['an integer of 400 digits', { type: 'integer' }, '9'.repeat(400), 'misfit: range'],
    ['the greatest bigint', { type: 'bigint' }, '9223372036854775807', '9223372036854775807'],
    ['one more than that', { type: 'bigint' }, '9223372036854775808', 'misfit: range'],
    ['a bigint of 1001 digits', { type: 'bigint' }, '9'.repeat(1001), 'misfit: type'],
    ['the greatest decimal', MONEY, '9999.99', '9999.99'],
    ['one digit too many before the point', MONEY, '10000', 'misfit: range'],
    ['zeros before it', MONEY, '0009999', '9999'],
    ['digits after the point that the column rounds away', MONEY, '-1.234', '-1.234'],
    ['one that rounds beyond the greatest', MONEY, '9999.995', 'misfit: range'],
    ['one that rounds down to the greatest', MONEY, '9999.994', '9999.994'],
    [
      'a decimal without digits before the point',
      { type: 'decimal', precision: 2, scale: 2 },
      '-0.99',
      '-0.99',
    ],
    [
      'one with digits before the point',
      { type: 'decimal', precision: 2, scale: 2 },
      '1',
      'misfit: range',
    ],
    ['a double of 400 digits', { type: 'double' }, '9'.repeat(400), 'misfit: range'],
    ['a text as long as it may be', WORD, 'abc', 'abc'],
    [
      'astral characters, counted once',
      WORD,
      '\u{1f600}\u{1f600}\u{1f600}',
      '\u{1f600}\u{1f600}\u{1f600}',
    ],
    ['a longer one', WORD, 'abcd', 'misfit: length'],
    ['one of four astral characters', WORD, '\u{1f600}'.repeat(4), 'misfit: length'],
    ['one of a million characters', WORD, 'a'.repeat(1_000_000), 'misfit: length'],
    ['an unknown choice', STATE, 'gone', 'misfit: choice'],
    ['a choice in another case', STATE, 'Draft', 'misfit: choice'],
    ['a name that every object has', STATE, 'constructor', 'misfit: choice'],
    ['an unknown choice in a list', LEVELS, ['low', 'middle'], 'misfit: choice'],
    ['an empty choice in a list', LEVELS, [''], 'misfit: choice'],
    ['a choice if there are none', { type: 'enum' }, 'draft', 'misfit: choice'],
    [
      'a member beyond its range',
      { type: 'array', element: 'integer' },
      [2147483648],
      'misfit: range',
    ],
    [
      'a member too long',
      { type: 'array', element: 'text', maxLength: 3 },
      ['abcd'],
      'misfit: length',
    ],
  ])('%s', (_, column, raw, expected) => {
    expect(reading(column, raw)).toEqual(expected);
  });

  it('accept JSON of a hundred levels and refuse deeper JSON, however deep', () => {
    const nested = (levels: number): unknown => {
      let json: unknown = 1;
      for (let level = 0; level < levels; level++) json = [json];
      return json;
    };
    expect(reading({ type: 'json' }, nested(100))).toEqual(nested(100));
    expect(reading({ type: 'json' }, nested(101))).toBe('misfit: type');
    expect(reading({ type: 'json' }, nested(100_000))).toBe('misfit: type');
  });

  it('name the fault of a member of a list', () => {
    expect(parseValue({ type: 'array', element: 'integer' }, ['x'])).toEqual({
      misfit: 'type',
      reason: 'has a member that must be an integer (beyond 2^53: as a string)',
    });
  });
});

it.each([
  ['1.005', 2, '1.01'],
  ['12.50', 2, '12.50'],
  ['12.5', 2, '12.50'],
  ['12', 2, '12.00'],
  ['12', 0, '12'],
  ['0.5', 0, '1'],
  ['-0.001', 2, '0.00'],
  ['-0.00', 2, '0.00'],
  ['-12.50', 2, '-12.50'],
  ['007.10', 2, '7.10'],
  ['1e-7', 2, '0.00'],
  ['99999999999999999999.99', 2, '99999999999999999999.99'],
])('a column stores the decimal %s with %d digits after the point as %s', (sent, scale, stored) => {
  expect(storedDecimal(sent, scale)).toBe(stored);
});
