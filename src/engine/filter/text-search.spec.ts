import fc from 'fast-check';
import { includesInOnePass, meetsSearch } from './text-search';

const words = (maxLength: number) =>
  fc.string({ unit: fc.constantFrom('a', 'b', '\u{10000}'), maxLength });

describe('a text in another', () => {
  it('is found in one pass if it occurs, and not otherwise', () => {
    fc.assert(
      fc.property(words(40), words(6), (text, operand) => {
        expect(includesInOnePass(text, operand)).toBe(text.includes(operand));
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['a', false],
    ['b', true],
  ])('is found in a long text with one different character: %s', (middle, found) => {
    const text = `${'a'.repeat(100_000)}${middle}${'a'.repeat(100_000)}`;
    const operand = `${'a'.repeat(500)}b${'a'.repeat(490)}`;
    expect(meetsSearch('contains', text, operand)).toBe(found);
    expect(meetsSearch('icontains', text.toUpperCase(), operand)).toBe(found);
  });
});
