import { isKey, keysOf } from './keys';

const row = (id: string, name: string, key: string | null = null) => ({ id, name, key });
const keys = (...rows: ReturnType<typeof row>[]): object =>
  Object.fromEntries(keysOf(rows, 'role'));

describe('the key of a role or policy', () => {
  it('is the stored one, whatever the name', () => {
    expect(keys(row('1', 'Writers', 'editors'), row('2', 'Editors'))).toEqual({
      1: 'editors',
      2: 'editors-2',
    });
  });

  it('is otherwise made from the name', () => {
    expect(keys(row('1', 'Élan & Co.'), row('2', '  2nd  floor '), row('3', 'Редакция'))).toEqual({
      1: 'elan-co',
      2: '2nd-floor',
      3: 'role',
    });
  });

  it('is never one that is already used, whatever the order of the rows', () => {
    const rows = [row('2', 'A'), row('1', 'A'), row('3', 'a', null), row('4', 'B', 'a-2')];
    const made = { 1: 'a', 2: 'a-3', 3: 'a-4', 4: 'a-2' };
    expect(keys(...rows)).toEqual(made);
    expect(keys(...rows.toReversed())).toEqual(made);
  });

  it('always exists, however long the name', () => {
    const made = [
      ...keysOf([row('1', 'x-'.repeat(200)), row('2', 'x-'.repeat(200))], 'role').values(),
    ];
    expect(made.every(isKey)).toBe(true);
    expect(new Set(made).size).toBe(2);
  });

  it.each(['A', 'a_b', '-a', 'a-', 'a--b', '', 'é', 'x'.repeat(65), '__proto__'])(
    '%j is not a key',
    (text) => expect(isKey(text)).toBe(false),
  );
});
