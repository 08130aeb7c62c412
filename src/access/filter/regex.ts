import { RE2JS } from 're2js';

const MOST_CHARACTERS = 1000;
/** Matching costs the text's length times the program's; a counted class of letters makes a long one of a few characters. */
const MOST_INSTRUCTIONS = 1000;
const MOST_HELD = 100;

const held = new Map<string, RE2JS>();

/** Whether the pattern is one that the linear-time engine knows: no look-around, no back references. */
export function isLinearPattern(pattern: string): boolean {
  if (pattern.length > MOST_CHARACTERS) return false;
  try {
    return RE2JS.compile(pattern).programSize() <= MOST_INSTRUCTIONS;
  } catch {
    return false;
  }
}

/** Whether the pattern is found anywhere in the text, in time linear in the text's length. */
export const matchesPattern = (pattern: string, text: string): boolean =>
  compile(pattern).matcher(text).find();

function compile(pattern: string): RE2JS {
  const known = held.get(pattern);
  if (known) return known;
  const compiled = RE2JS.compile(pattern);
  if (held.size >= MOST_HELD) held.clear();
  held.set(pattern, compiled);
  return compiled;
}
