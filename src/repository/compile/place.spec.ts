import { Place } from './place';

const FENCED = ' OFFSET 0';
const ends = (place: Place, count: number): string[] =>
  Array.from({ length: count }, () => place.exists().end);

describe('the place of a condition', () => {
  it('lets the first four EXISTS of a statement become joins', () => {
    expect(ends(Place.root(), 6)).toEqual(['', '', '', '', FENCED, FENCED]);
  });

  it('counts nested ones, and those of a value, with the others', () => {
    const root = Place.root();
    const { inside } = root.exists();
    expect(ends(inside, 2)).toEqual(['', '']);
    expect(ends(root.apart.select, 1)).toEqual(['']);
    expect(ends(root, 1)).toEqual([FENCED]);
    expect(ends(inside, 1)).toEqual([FENCED]);
  });

  it('neither counts nor fences what is never joined', () => {
    const root = Place.root();
    expect(ends(root.apart, 9).join('')).toBe('');
    expect(ends(root, 5)).toEqual(['', '', '', '', FENCED]);
    expect(ends(root.apart, 9).join('')).toBe('');
  });

  it('lets two levels be planned twice, not each of ten', () => {
    let place = Place.root();
    const seen = Array.from({ length: 10 }, () => {
      const { end, inside } = place.apart.exists();
      place = inside;
      return end;
    });
    expect(seen).toEqual(['', '', ...Array.from({ length: 8 }, () => FENCED)]);
  });
});
