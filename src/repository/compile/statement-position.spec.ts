import { StatementPosition } from './statement-position';

const FENCED = ' OFFSET 0';
const ends = (position: StatementPosition, count: number): string[] =>
  Array.from({ length: count }, () => position.exists().end);

describe('the place of a condition', () => {
  it('lets the first four EXISTS of a statement become joins', () => {
    expect(ends(StatementPosition.root(), 6)).toEqual(['', '', '', '', FENCED, FENCED]);
  });

  it('counts nested ones, and those of a value, with the others', () => {
    const root = StatementPosition.root();
    const { inside } = root.exists();
    expect(ends(inside, 2)).toEqual(['', '']);
    expect(ends(root.apart.select, 1)).toEqual(['']);
    expect(ends(root, 1)).toEqual([FENCED]);
    expect(ends(inside, 1)).toEqual([FENCED]);
  });

  it('neither counts nor fences what is never joined', () => {
    const root = StatementPosition.root();
    expect(ends(root.apart, 9).join('')).toBe('');
    expect(ends(root, 5)).toEqual(['', '', '', '', FENCED]);
    expect(ends(root.apart, 9).join('')).toBe('');
  });

  it('lets two levels be planned twice, not each of ten', () => {
    let position = StatementPosition.root();
    const seen = Array.from({ length: 10 }, () => {
      const { end, inside } = position.apart.exists();
      position = inside;
      return end;
    });
    expect(seen).toEqual(['', '', ...Array.from({ length: 8 }, () => FENCED)]);
  });
});
