import type { Cell } from '../../src/engine';
import { FIRST_MADE_UP } from './made-up';
import { CHOICES } from './tables';

/** What a concealed field shows. */
export const MASK = '**********';

/** Few values of each type, so that random filters match random rows; each value reveals a certain kind of mistake. */
const TEXTS = [
  'a',
  'A',
  '',
  'aß_',
  'ΑΣ',
  'ab',
  'a%b',
  '%',
  '_',
  'a_b',
  '\\',
  'a\\b',
  'ß',
  'SS',
  'ẞ',
  'İ',
  'i̇',
  'I',
  'ı',
  'Σ',
  'σ',
  'ς',
  'ας',
  '𐐀',
  '𐐨',
  '😀',
  '\uE000',
  '\uFFFD',
  ' ',
  "'",
  '"b"',
  '7',
  '$NOW',
  MASK,
];
const INTEGERS = [0, 1, 7, -1, 2147483647, -2147483648, 2, 10];
const BIGINTS = [
  '-9223372036854775808',
  '-9007199254740993',
  '-1',
  '0',
  '7',
  '9007199254740992',
  '9007199254740993',
  '9223372036854775807',
];
const TIMESTAMPS = [
  '0001-01-01T00:00:00.000Z',
  '1969-12-31T23:59:59.999Z',
  '1970-01-01T00:00:00.000Z',
  '2018-12-31T12:00:00.000Z',
  '2021-01-03T23:59:59.999Z',
  '2021-01-04T00:00:00.000Z',
  '2024-02-29T12:00:00.000Z',
  '2024-03-30T12:00:00.000Z',
  '2024-03-30T12:00:00.001Z',
  '2024-03-31T12:00:00.000Z',
  '9999-12-31T23:59:59.999Z',
];
const DATES = [
  '0001-01-01',
  '1969-12-31',
  '2000-02-29',
  '2018-12-31',
  '2020-12-31',
  '2021-01-01',
  '2021-01-03',
  '2021-01-04',
  '2024-02-29',
  '2024-03-30',
  '2024-03-31',
  '9999-12-31',
];
const TIMES = ['00:00:00.000', '07:10:59.001', '07:10:59.010', '12:00:00.000', '23:59:59.999'];

/** Not in the order of their text, so that keys are not created in order. */
export const UUIDS = [
  'b0000000-0000-4000-8000-000000000001',
  '00000000-0000-4000-8000-00000000000f',
  'a0000000-0000-4000-8000-000000000002',
  'ffffffff-ffff-4fff-bfff-ffffffffffff',
  '0a000000-0000-4000-8000-000000000003',
  '90000000-0000-4000-8000-000000000004',
];

export const NOW = new Date('2024-03-31T12:00:00.000Z');

/** Stored values, in canonical form. */
export const STORED: Readonly<Record<string, readonly Cell[]>> = {
  integer: INTEGERS,
  bigint: BIGINTS,
  decimal: ['-99999999.99', '-1.50', '0.00', '0.01', '1.50', '7.00', '99999999.99'],
  number: [
    '-0.00000000000000000001',
    '0',
    '0.1',
    '0.10',
    '7',
    '9007199254740993.5',
    '123456789012345678901234567890.12',
    'NaN',
  ],
  double: [-1.7976931348623157e308, -1.5, 0, 0.1, 1 / 3, 1e-300, 7, 1.7976931348623157e308, NaN],
  boolean: [true, false],
  text: TEXTS,
  enum: CHOICES,
  uuid: UUIDS,
  date: DATES,
  time: TIMES,
  timestamp: TIMESTAMPS,
  // With microseconds, as SQL may store them; never two in the same millisecond, since sorts distinguish them.
  fine: TIMESTAMPS.map((time, index) => time.replace('Z', index % 2 === 0 ? '001Z' : '999Z')),
  // Most rows are live; one deleted exactly now counts as deleted.
  deleted: [
    ...Array.from({ length: 10 }, () => null),
    NOW.toISOString(),
    '2024-03-30T12:00:00.000Z',
    '9999-12-31T23:59:59.999Z',
  ],
  json: ['', 'a', 0, false, [], [1, 'a'], [null], {}, { a: [1] }],
  array: [[], ['a'], ['a', 'A'], ['', 'a,b', '"', '\\', 'NULL'], ['draft', 'ß']],
  numbers: [[], [7], [0, 1, 7], [2147483647, -1]],
  'integer key': [3, FIRST_MADE_UP, 1, 0, 7, -2147483648, 2, 2147483647, FIRST_MADE_UP + 1, -3, 10],
  'uuid key': UUIDS,
};

/** Operands that are not written in the stored form. */
const MORE: Readonly<Record<string, readonly unknown[]>> = {
  integer: ['7', '-1', '007'],
  bigint: [7, -1, 9007199254740991, '00'],
  decimal: [1.5, '1.5', '1.500', -1.5, 0, '0.005', '07'],
  number: [0.1, '0.100', 0, '-0.0', '9007199254740993.50', 7],
  double: ['0.1', '-1.50', `1${'0'.repeat(300)}`, 1e-300],
  boolean: ['true', 'false'],
  text: ['B', 'ss', 'i', '𐐀x', 'longer than twenty characters'],
  uuid: [UUIDS[0]?.toUpperCase(), UUIDS[3]?.toUpperCase()],
  time: ['12:00:00', '07:10:59.01', '12:00', '07:10:59.001999999'],
  timestamp: [
    '2024-03-31T14:00:00+02:00',
    '2024-03-31T14:00+02:00',
    '2024-03-31T12:00',
    '2024-03-30T12:00:00.001999999',
    '1969-12-31T23:59:59.9999Z',
    '1970-01-01',
    '2021-01-04',
    '2018-12-31t12:00:00z',
    '0001-01-01T00:00:00.001Z',
    '9999-12-31T23:59:59-00:00',
  ],
};

const isOperand = (value: unknown): boolean =>
  value !== 'NaN' &&
  value !== '$NOW' &&
  !(typeof value === 'number' && (!Number.isFinite(value) || Math.abs(value) > 2 ** 53));

/** A stored cell as it is shown: times with milliseconds only. */
export const shown = (cell: Cell): Cell =>
  typeof cell === 'string' ? cell.replace(/(:\d\d\.\d{3})\d{3}Z$/, '$1Z') : cell;

/** Operands for a column of the pool, in a query or a rule. */
export const operandsFor = (pool: string): unknown[] => [
  ...(STORED[pool] ?? []).filter((value) => value !== null && isOperand(value)),
  ...(MORE[pool.replace(' key', '')] ?? []),
];

/** Operands for functions of times and for sizes of lists. */
export const FUNCTION_RESULTS = [-1, 0, 1, 2, 3, 5, 6, 7, 10, 12, 23, 31, 52, 53, 59, 1969, 2024];

export const SEARCHES = [
  'a',
  '7',
  'ß',
  '0',
  '1',
  ...TEXTS,
  '-1',
  '2147483647',
  UUIDS[0]?.toUpperCase() ?? '',
];

/** Every text that may have to be sorted. */
export const SORTED_TEXTS = [...new Set([...TEXTS, ...CHOICES])];

const MOMENTS = ['$NOW', '$NOW(-1 day)', '$NOW(-1 month)', '$NOW(+9999 years)', '$NOW(1 second)'];

type Kind = 'name' | 'number' | 'moment' | 'date' | 'clock' | 'flag';

export const VARIABLES: Readonly<Record<Kind, readonly string[]>> = {
  name: [
    '$CURRENT_USER',
    '$CURRENT_USER.title',
    '$CURRENT_USER.home',
    '$CURRENT_USER.home.name',
    '$CURRENT_USER.role.name',
    '$CURRENT_USER.mark',
    '$CURRENT_USER.choice',
    '$CURRENT_ROLE',
    '$CURRENT_ROLE.name',
    '$CURRENT_ROLE.parent.name',
  ],
  number: [
    ...['level', 'home.size'].map((path) => `$CURRENT_USER.${path}`),
    ...['far', 'exact', 'number', 'rough'].map((path) => `$CURRENT_USER.${path}`),
  ],
  moment: [...MOMENTS, '$CURRENT_USER.moment'],
  date: [...MOMENTS, '$CURRENT_USER.moment', '$CURRENT_USER.day'],
  clock: ['$CURRENT_USER.clock'],
  flag: ['$CURRENT_USER.flag'],
};

/** More paths than one query may name. */
export const MANY_PATHS = [
  ...['title', 'home', 'home.name', 'role', 'role.name'].map((path) => `$CURRENT_USER.${path}`),
  ...['home.keeper', 'home.keeper.title', 'home.keeper.role.name', 'role.parent.name'].map(
    (path) => `$CURRENT_USER.${path}`,
  ),
  ...['id', 'name', 'parent', 'parent.id', 'parent.name', 'parent.parent.name'].map(
    (path) => `$CURRENT_ROLE.${path}`,
  ),
];

export const LIST_VARIABLES = ['$CURRENT_ROLES', '$CURRENT_POLICIES', '$CURRENT_USER.labels'];
export const NUMBER_LIST_VARIABLES = ['$CURRENT_USER.numbers'];
