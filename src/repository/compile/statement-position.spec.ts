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

  it('neither counts nor fences an EXISTS that PostgreSQL never joins', () => {
    const root = StatementPosition.root();
    expect(ends(root.withoutPullUp, 9).join('')).toBe('');
    expect(ends(root, 5)).toEqual(['', '', '', '', FENCED]);
    expect(ends(root.withoutPullUp, 9).join('')).toBe('');
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
