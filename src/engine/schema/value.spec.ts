import fc from 'fast-check';
import type { ScalarType } from './schema';
import { compareValues, type Value } from './value';

const LOW = 'aaaaaaaa-0000-4000-8000-000000000001';
const HIGH = 'aaaaaaaa-0000-4000-8000-00000000000f';

/** Values of a type in ascending order, no two of them equal. */
const ASCENDING: readonly (readonly [ScalarType, readonly Value[]])[] = [
  ['integer', [-2147483648, -1, 0, 1, 9, 10, 2147483647]],
  [
    'bigint',
    ['-9223372036854775808', '-10', '-9', '0', '9', '10', '9007199254740992', '9007199254740993'],
  ],
  [
    'decimal',
    ['-Infinity', '-10', '-9.5', '-0.01', '0', '0.1', '9.99', '10', '100.00', 'Infinity', 'NaN'],
  ],
  [
    'double',
    [-Infinity, -1e308, -1, -Number.MIN_VALUE, 0, Number.MIN_VALUE, 0.1, 1e308, Infinity, NaN],
  ],
  ['boolean', [false, true]],
  [
    'text',
    [
      '',
      '\t',
      ' ',
      '0',
      '10',
      '9',
      'A',
      'Z',
      'a',
      'aa',
      'b',
      'ß',
      'ä',
      '\ud7ff',
      '\ue000',
      '\ufffd',
      '\uffff',
      '\u{10000}',
      '\u{10000}\uffff',
      '\u{10000}\u{10000}',
      '\u{10ffff}',
    ],
  ],
  ['uuid', [LOW, HIGH]],
  [
    'date',
    [
      '-infinity',
      '0044-03-15 BC',
      '0001-12-31 BC',
      '0001-01-01',
      '0999-12-31',
      '2024-02-29',
      '9999-12-31',
      '10000-01-01',
      '20000-01-01',
      'infinity',
    ],
  ],
  ['time', ['00:00:00.000', '00:00:00.001', '23:59:59.999']],
  [
    'timestamp',
    [
      '-infinity',
      '0044-03-15 12:30:00+00 BC',
      '0044-03-15 12:30:01+00 BC',
      '0001-01-01T00:00:00.000Z',
      '2024-02-29T00:00:00.000Z',
      '2024-02-29T00:00:00.001Z',
      '9999-12-31T23:59:59.999Z',
      '10000-01-01 00:00:00+00',
      '10000-01-01 00:00:00.5+00',
      'infinity',
    ],
  ],
];

describe('the order of values', () => {
  it.each(ASCENDING)('of type %s', (type, values) => {
    const signs = values.map((left) =>
      values.map((right) => Math.sign(compareValues(type, left, right)) + 0),
    );
    expect(signs).toEqual(values.map((_, row) => values.map((__, at) => Math.sign(row - at))));
  });

  it.each<[ScalarType, Value, Value]>([
    ['decimal', '1.50', '1.5'],
    ['decimal', '0', '0.00'],
    ['decimal', '01', '1'],
    ['double', 0, -0],
    ['bigint', '07', '7'],
  ])('%s %j equals %j', (type, one, other) => {
    expect(Math.abs(compareValues(type, one, other))).toBe(0);
  });

  it('of text is the order of its UTF-8 bytes', () => {
    const text = fc.string({ unit: 'binary', maxLength: 6 });
    fc.assert(
      fc.property(text, text, (one, other) => {
        const bytes = Buffer.compare(Buffer.from(one), Buffer.from(other));
        expect(Math.sign(compareValues('text', one, other)) + 0).toBe(bytes);
      }),
    );
  });
});
