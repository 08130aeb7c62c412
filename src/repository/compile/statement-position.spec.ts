import { StatementPosition } from './statement-position';

const FENCED = ' OFFSET 0';
const ends = (position: StatementPosition, count: number): string[] =>
  Array.from({ length: count }, () => position.exists().end);

describe('the position of a condition in a statement', () => {
  it('lets PostgreSQL join the first four EXISTS of a statement', () => {
    expect(ends(StatementPosition.root(), 6)).toEqual(['', '', '', '', FENCED, FENCED]);
  });

  it('counts nested EXISTS, and those of a subselect in the output, with the others', () => {
    const root = StatementPosition.root();
    const { inside } = root.exists();
    expect(ends(inside, 2)).toEqual(['', '']);
    expect(ends(root.withoutPullUp.select, 1)).toEqual(['']);
    expect(ends(root, 1)).toEqual([FENCED]);
    expect(ends(inside, 1)).toEqual([FENCED]);
  });

  it('counts joins with the EXISTS, and fences the others', () => {
    const root = StatementPosition.root();
    expect(ends(root, 2)).toEqual(['', '']);
    const { inside } = root.join();
    expect(inside.join().fenced).toBe(false);
    expect(root.join().fenced).toBe(true);
    expect(ends(inside, 1)).toEqual([FENCED]);
  });

  it('does not count an EXISTS that PostgreSQL never joins with those that it does', () => {
    const root = StatementPosition.root();
    expect(ends(root.withoutPullUp, 4).join('')).toBe('');
    expect(ends(root, 5)).toEqual(['', '', '', '', FENCED]);
    expect(ends(root.withoutPullUp, 4).join('')).toBe('');
  });

  it('lets PostgreSQL hash eight EXISTS of a query that it never joins, nested ones included', () => {
    const root = StatementPosition.root();
    const { inside } = root.withoutPullUp.exists();
    expect(ends(inside.withoutPullUp, 3).join('')).toBe('');
    expect(ends(root.select.withoutPullUp, 3).join('')).toBe('');
    expect(ends(root.withoutPullUp, 3)).toEqual(['', FENCED, FENCED]);
    expect(ends(inside.withoutPullUp, 1)).toEqual([FENCED]);
  });

  it('fences no EXISTS of a rule on the rows that the statement is about', () => {
    const { rule } = StatementPosition.root();
    expect(ends(rule.withoutPullUp, 9).join('')).toBe('');
    const { inside } = rule.withoutPullUp.exists();
    expect(ends(inside.withoutPullUp, 9).join('')).toBe('');
  });

  it('counts those of rules on other rows', () => {
    const root = StatementPosition.root();
    const { inside } = root.withoutPullUp.exists();
    expect(ends(inside.rule.withoutPullUp, 8).at(-1)).toBe(FENCED);
    expect(ends(root.select.rule.withoutPullUp, 1)).toEqual([FENCED]);
    expect(ends(root.rule.withoutPullUp, 9).join('')).toBe('');
  });

  it('leaves two nested levels unfenced, and fences the others', () => {
    let position = StatementPosition.root();
    const seen = Array.from({ length: 10 }, () => {
      const { end, inside } = position.withoutPullUp.exists();
      position = inside;
      return end;
    });
    expect(seen).toEqual(['', '', ...Array.from({ length: 8 }, () => FENCED)]);
  });
});
