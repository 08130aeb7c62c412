import { jsonPieces } from './json-pieces';

const many = <T>(count: number, each: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => each(index));

const row = (index: number) => ({
  id: index,
  title: `“${index}”\n\u2028\ud800`,
  price: index / 3,
  missing: undefined,
  nothing: null,
  at: new Date(index),
  metadata: { a: [1, [2, { b: index % 2 === 0 }]], '': {}, '"': [] },
});

it.each<[string, object]>([
  ['an empty object', {}],
  ['an empty list', []],
  ['a row', row(1)],
  ['a list of undefined values', many(3_000, () => undefined)],
  ['an object of undefined values', Object.fromEntries(many(3_000, (at) => [`a${at}`, undefined]))],
  ['many rows', { data: many(1_000, row), meta: { total_count: 1_000 } }],
  ['a list in each row', { data: many(20, () => ({ notes: many(3_000, row), id: 1 })) }],
  ['lists in lists', many(3, () => many(3, () => many(3_000, (at) => at)))],
  [
    'one row with many nested rows',
    { data: { ...row(1), notes: many(500, row), none: Object.create(null), tags: many(9, row) } },
  ],
])('is the same as from JSON.stringify: %s', (_, value) => {
  for (const size of [1, 100, 64 * 1024]) {
    expect([...jsonPieces(value, size)].join('')).toBe(JSON.stringify(value));
  }
});

it('has no piece that is much longer than intended', () => {
  const pieces = [...jsonPieces({ data: many(5_000, row) })];
  expect(pieces.length).toBeGreaterThan(8);
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(80_000);
});
