import { reading } from '../parsing.spec-support';
import type { ColumnType } from './parsed';

const NUL = '\u0000';
const HALF = '\ud800';
const UUID = 'aaaaaaaa-0000-4000-8000-00000000000a';

const STATE: ColumnType = { type: 'enum', choices: ['draft', 'live'] };
const NOT_NUMBERS: readonly unknown[] = [
  '',
  ' ',
  ' 1',
  '1 ',
  '1\n',
  '+1',
  '1e3',
  '1E3',
  '0x1',
  'NaN',
  'Infinity',
  '-',
  '--1',
  '1,5',
  '1_000',
  '١',
  '１',
  '.5',
  '5.',
  '1.2.3',
  NaN,
  Infinity,
  -Infinity,
  true,
  [],
  [1],
  {},
  null,
  undefined,
  `1${NUL}`,
];

/** Numbers of JSON that may differ from the digits that were sent; a double is one. */
const INEXACT: readonly number[] = [2 ** 53, -(2 ** 53), 1e300];

describe.each<[string, ColumnType, readonly (readonly [unknown, unknown])[], readonly unknown[]]>([
  [
    'integer',
    { type: 'integer' },
    [
      [0, 0],
      [-0, 0],
      [1.0, 1],
      ['-0', 0],
      ['007', 7],
      ['-12', -12],
      [2147483647, 2147483647],
      ['-2147483648', -2147483648],
    ],
    [...NOT_NUMBERS, ...INEXACT, 1.5, '1.0', 1e-7],
  ],
  [
    'bigint',
    { type: 'bigint' },
    [
      [0, '0'],
      [-0, '0'],
      [9007199254740991, '9007199254740991'],
      ['9007199254740993', '9007199254740993'],
      ['-9223372036854775808', '-9223372036854775808'],
      ['0009', '9'],
    ],
    [...NOT_NUMBERS, ...INEXACT, 1.5, '1.0'],
  ],
  [
    'decimal',
    { type: 'decimal' },
    [
      [0, '0'],
      [-0, '0'],
      [1.5, '1.5'],
      ['1.50', '1.50'],
      ['-0.00', '0.00'],
      ['-0.5', '-0.5'],
      ['007.10', '7.10'],
      ['-00', '0'],
      ['123456789012345678901234567890.1', '123456789012345678901234567890.1'],
      [0.000001, '0.000001'],
      [1e-7, '0.0000001'],
      [-1.2345678901234566e-9, '-0.0000000012345678901234566'],
      [5e-324, `0.${'0'.repeat(323)}5`],
    ],
    [...NOT_NUMBERS, ...INEXACT, '1e-7'],
  ],
  [
    'double',
    { type: 'double' },
    [
      [0, 0],
      [-0, 0],
      [1.5, 1.5],
      ['1.50', 1.5],
      ['-0', 0],
      [1e-7, 1e-7],
      ['9007199254740993', 9007199254740992],
      [-(2 ** 53), -(2 ** 53)],
      [1e300, 1e300],
    ],
    NOT_NUMBERS,
  ],
  [
    'boolean',
    { type: 'boolean' },
    [
      [true, true],
      [false, false],
    ],
    ['true', 'false', 1, 0, '', null, [], {}],
  ],
  [
    'text',
    { type: 'text' },
    [
      ['', ''],
      [' a ', ' a '],
      ['\u{1f600}', '\u{1f600}'],
      ['$', '$'],
      ['\ufffe', '\ufffe'],
    ],
    [1, true, null, [], {}, NUL, `a${NUL}b`, HALF, '\udc00', `\udc00${HALF}`, `a${HALF}b`],
  ],
  ['enum', STATE, [['draft', 'draft']], [1, null, ['draft'], {}]],
  [
    'uuid',
    { type: 'uuid' },
    [
      [UUID, UUID],
      [UUID.toUpperCase(), UUID],
      ['00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000'],
    ],
    [
      '',
      UUID.replaceAll('-', ''),
      `{${UUID}}`,
      ` ${UUID}`,
      `${UUID}\n`,
      `${UUID}a`,
      UUID.replace('a', 'g'),
      1,
      null,
      {},
    ],
  ],
  [
    'json',
    { type: 'json' },
    [
      [{}, {}],
      [[], []],
      [0, 0],
      [false, false],
      ['', ''],
      [{ a: [1, null, { b: 'c' }] }, { a: [1, null, { b: 'c' }] }],
    ],
    [
      undefined,
      NaN,
      Infinity,
      2 ** 53,
      { a: [-(2 ** 53)] },
      1e300,
      NUL,
      { [NUL]: 1 },
      { a: [NUL] },
      [HALF],
      { [HALF]: 1 },
      () => 1,
      1n,
    ],
  ],
  [
    'array',
    { type: 'array', element: 'integer' },
    [
      [[], []],
      [
        [1, '2'],
        [1, 2],
      ],
    ],
    ['a', {}, null, 1, [null], [[1]], ['x'], [1.5], { length: 0 }],
  ],
  [
    'array',
    { type: 'array', element: 'text', choices: ['low', 'high'] },
    [
      [[], []],
      [
        ['high', 'low', 'high'],
        ['high', 'low', 'high'],
      ],
    ],
    ['low', [null], [1]],
  ],
])('a value for a column of type %s', (_, column, taken, refused) => {
  it.each(taken)('%j is read as %j', (raw, value) => {
    expect(reading(column, raw)).toEqual(value);
  });

  it.each(refused.map((raw) => [raw]))('%p is refused', (raw) => {
    expect(reading(column, raw)).toBe('misfit: type');
  });
});
