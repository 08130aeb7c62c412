import { byColumns } from './row-chunks';
import type { Judged } from '../judge/judged';

const rowOf = (names: string): Judged => ({
  key: names,
  fields: [],
  hidden: [],
  values: new Map(Array.from(names, (name) => [name, 1])),
});

it.each<[string, string[], Record<string, string[]>]>([
  ['the same columns', ['ab', 'ab'], { ab: ['ab', 'ab'] }],
  ['the same in another order', ['ba', 'ab', 'ba'], { ab: ['ba', 'ab', 'ba'] }],
  [
    'fewer columns, other columns, and the first again',
    ['ab', 'a', 'ac', 'ab'],
    { ab: ['ab', 'ab'], a: ['a'], ac: ['ac'] },
  ],
  ['none', ['', 'a', ''], { '': ['', ''], a: ['a'] }],
])('rows are stored together by their columns: %s', (_, rows, expected) => {
  const groups = [...byColumns(rows.map(rowOf))];
  const found = groups.map(([names, group]) => [names.join(''), group.map(({ key }) => key)]);
  expect(Object.fromEntries(found)).toEqual(expected);
});
