import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';

const MAX_CHARACTERS = 1000;
/**
 * Matching costs the text's length times the program's; a counted character class makes a long program from a few
 * characters.
 */
const MAX_INSTRUCTIONS = 1000;
/** Bytes that the cached programs may use. */
const MAX_BYTES = 16_000_000;
const OF_PROGRAM = 2_000;
/** Measured after the program has matched; most use a third of this. */
const OF_INSTRUCTION = 300;
/** Measured: a Unicode class is a table of up to 5.5 kB, built again for each mention. */
const OF_UNICODE_CLASS = 8_000;
const UNICODE_CLASS = /\\p/gi;

export const cachedPrograms = new LRUCache<string, RE2JS>({
  maxSize: MAX_BYTES,
  sizeCalculation: weigh,
});

/** What a regular expression must be here, for messages. */
export const LINEAR_PATTERN = `without look-around and back references, of at most ${MAX_CHARACTERS} characters and ${MAX_INSTRUCTIONS} instructions`;

/** Whether the linear-time engine supports the pattern: no look-around, no back references. */
export function isLinearPattern(pattern: string): boolean {
  if (pattern.length > MAX_CHARACTERS) return false;
  try {
    return RE2JS.compile(pattern).programSize() <= MAX_INSTRUCTIONS;
  } catch {
    return false;
  }
}

/**
 * The most instructions that are run for one text, and for one row: a few hundredths of a second, which keep everybody
 * else waiting. An ordinary pattern of 20 instructions looks through 20,000 characters.
 */
export const MAX_STEPS = 400_000;

/** The most instructions that may be run to find the pattern in the text. */
export const patternSteps = (pattern: string, text: string): number =>
  compile(pattern).programSize() * text.length;

/**
 * Whether the pattern is found anywhere in the text, in time linear in the text's length. It is not found in a text that
 * is too long to look through.
 */
export const matchesPattern = (pattern: string, text: string): boolean =>
  patternSteps(pattern, text) <= MAX_STEPS && compile(pattern).matcher(text).find();

function compile(pattern: string): RE2JS {
  const known = cachedPrograms.get(pattern);
  if (known) return known;
  const compiled = RE2JS.compile(pattern);
  cachedPrograms.set(pattern, compiled);
  return compiled;
}

/** Roughly how many bytes a program uses. */
function weigh(program: RE2JS, pattern: string): number {
  const classes = pattern.match(UNICODE_CLASS)?.length ?? 0;
  const instructions = OF_INSTRUCTION * program.programSize();
  return OF_PROGRAM + 2 * pattern.length + instructions + OF_UNICODE_CLASS * classes;
}
