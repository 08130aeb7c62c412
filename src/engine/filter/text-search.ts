import type { BoundLeaf } from './filter';
import { isSubstringTest, type Test } from './operators';
import { matchesPattern } from './regex';

/** Whether a leaf searches a text, which takes longer for longer texts. */
export const searchesText = ({ test }: BoundLeaf): boolean =>
  test === 'regex' || isSubstringTest(test);

type Search = Extract<Test, `${string}contains` | `${string}s_with` | 'regex'>;

export function meetsSearch(test: Search, text: string, operand: string): boolean {
  switch (test) {
    case 'contains':
      return includes(text, operand);
    case 'icontains':
      return includes(text.toLowerCase(), operand.toLowerCase());
    case 'starts_with':
      return text.startsWith(operand);
    case 'istarts_with':
      return text.toLowerCase().startsWith(operand.toLowerCase());
    case 'ends_with':
      return text.endsWith(operand);
    case 'iends_with':
      return text.toLowerCase().endsWith(operand.toLowerCase());
    case 'regex':
      return matchesPattern(operand, text);
  }
}

/** Above it, comparing the operand at every place of the text takes too long: a hundredth of a second at most. */
const MAX_COMPARISONS = 10_000_000;

/** The engine's own search is fast as a rule; `aa…b…aa` among 250,000 `a` takes it a tenth of a second. */
const includes = (text: string, operand: string): boolean =>
  text.length * operand.length <= MAX_COMPARISONS
    ? text.includes(operand)
    : includesInOnePass(text, operand);

/** By Knuth, Morris and Pratt: the text is read once, whatever the operand is. */
export function includesInOnePass(text: string, operand: string): boolean {
  const borders = bordersOf(operand);
  let matched = 0;
  for (let at = 0; at < text.length && matched < operand.length; at++) {
    matched = extend(operand, borders, matched, text.charCodeAt(at));
  }
  return matched === operand.length;
}

/** For each beginning of the operand: the length of the longest shorter one that it ends with. */
function bordersOf(operand: string): Uint32Array {
  const borders = new Uint32Array(operand.length + 1);
  for (let at = 1; at < operand.length; at++) {
    borders[at + 1] = extend(operand, borders, borders[at] ?? 0, operand.charCodeAt(at));
  }
  return borders;
}

/** How much of the operand is matched after one more character. */
function extend(operand: string, borders: Uint32Array, matched: number, next: number): number {
  let kept = matched;
  while (kept > 0 && operand.charCodeAt(kept) !== next) kept = borders[kept] ?? 0;
  return operand.charCodeAt(kept) === next ? kept + 1 : kept;
}
