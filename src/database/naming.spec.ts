import { ReadableNaming } from './naming';

const naming = new ReadableNaming();
const bytesOf = (name: string): number => Buffer.byteLength(name);

describe('The columns of a junction table', () => {
  it('are named after the tables and their keys', () => {
    expect(naming.joinTableColumnName('parts', 'id')).toBe('parts_id');
    expect(naming.joinTableColumnDuplicationPrefix('parts_id', 1)).toBe('parts_id_1');
    const longest = 'n'.repeat(60);
    expect(naming.joinTableColumnName(longest, 'id')).toBe(`${longest}_id`);
  });

  it.each(['n'.repeat(61), 'n'.repeat(63), 'ü'.repeat(31)])(
    'have names that PostgreSQL does not cut off: %s',
    (table) => {
      const names = [
        naming.joinTableColumnName(table, 'id'),
        naming.joinTableColumnName(table, 'no'),
        naming.joinTableColumnDuplicationPrefix(`${table}${'x'.repeat(63 - bytesOf(table))}`, 1),
        naming.joinTableColumnDuplicationPrefix(`${table}${'x'.repeat(63 - bytesOf(table))}`, 2),
      ];
      expect(new Set(names).size).toBe(names.length);
      for (const name of names) expect([name, bytesOf(name)]).toEqual([name, 63]);
    },
  );
});

it('A junction table has a name that PostgreSQL does not cut off', () => {
  expect(naming.joinTableName('parts', 'stores', 'in')).toBe('parts_in');
  const [one, other] = ['first', 'second'].map((property) =>
    naming.joinTableName('n'.repeat(60), 'stores', property),
  );
  expect([bytesOf(one ?? ''), bytesOf(other ?? '')]).toEqual([63, 63]);
  expect(one).not.toBe(other);
});

it('a constraint keeps the name that it always had', () => {
  const [table, column] = ['n'.repeat(40), 'c'.repeat(40)];
  expect(naming.foreignKeyName(table, [column])).toBe(
    'fk_nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn_cccccccccc_2d8b88e5',
  );
});
