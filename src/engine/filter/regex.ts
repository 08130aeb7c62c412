import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';

const MAX_CHARACTERS = 1000;
/** Matching costs the text's length times the program's; a counted class of letters makes a long one of a few characters. */
const MAX_INSTRUCTIONS = 1000;
/** Bytes that the cached programs may keep. */
const ROOM = 16_000_000;
const OF_PROGRAM = 2_000;
/** Measured, after the program has matched: of most of them it is a third of that. */
const OF_INSTRUCTION = 300;
/** Measured: a class of Unicode's is a table of up to 5.5 kB, made anew for each mention. */
const OF_UNICODE_CLASS = 8_000;
const UNICODE_CLASS = /\\p/gi;

export const cachedPrograms = new LRUCache<string, RE2JS>({
  maxSize: ROOM,
  sizeCalculation: weigh,
});

/** Whether the pattern is one that the linear-time engine knows: no look-around, no back references. */
export function isLinearPattern(pattern: string): boolean {
  if (pattern.length > MAX_CHARACTERS) return false;
  try {
    return RE2JS.compile(pattern).programSize() <= MAX_INSTRUCTIONS;
  } catch {
    return false;
  }
}

/** Whether the pattern is found anywhere in the text, in time linear in the text's length. */
export const matchesPattern = (pattern: string, text: string): boolean =>
  compile(pattern).matcher(text).find();

function compile(pattern: string): RE2JS {
  const known = cachedPrograms.get(pattern);
  if (known) return known;
  const compiled = RE2JS.compile(pattern);
  cachedPrograms.set(pattern, compiled);
  return compiled;
}

/** About how many bytes a program keeps. */
function weigh(program: RE2JS, pattern: string): number {
  const classes = pattern.match(UNICODE_CLASS)?.length ?? 0;
  const instructions = OF_INSTRUCTION * program.programSize();
  return OF_PROGRAM + 2 * pattern.length + instructions + OF_UNICODE_CLASS * classes;
}
