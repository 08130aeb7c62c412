const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const SPACE = 0x20;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;
const LIST = 0x5b;
const LIST_END = 0x5d;

/** Nesting of objects and lists. Code that reads a body recurses as deep, and the stack is limited. */
const MAX_DEPTH = 200;

/** The names of an object so far. A hostile text has many objects with one name each, for which no set is created. */
type Names = string | Set<string> | undefined;

/**
 * What is wrong with a valid JSON text: too deep, or a duplicate name in an object. Of two values some parsers take the
 * first, others the last: a proxy might have checked another value than the one used here. Written by hand, since it
 * runs for every body: a pattern takes ten times as long on a hostile text.
 * @param json must be valid
 * @returns undefined if nothing is wrong
 */
export function faultOfJson(json: string): string | undefined {
  const open: Names[] = [];
  for (let i = 0; i < json.length; i += 1) {
    const code = json.charCodeAt(i);
    if (code === OBJECT || code === LIST) {
      if (open.push(undefined) > MAX_DEPTH) return `must not be more than ${MAX_DEPTH} levels deep`;
    } else if (code === OBJECT_END || code === LIST_END) open.pop();
    else if (code === QUOTE) {
      const end = endOfString(json, i);
      const next = afterSpace(json, end + 1);
      const isName = json.charCodeAt(next) === COLON;
      if (isName && !take(open, nameAt(json, i, end)))
        return 'must not have a name twice in one object';
      i = next - 1;
    }
  }
  return undefined;
}

/** Adds a name to the innermost object; false where it is a duplicate. */
function take(open: Names[], name: string): boolean {
  const names = open.at(-1);
  if (names === undefined) {
    open[open.length - 1] = name;
    return true;
  }
  const set = typeof names === 'string' ? new Set([names]) : names;
  const fresh = !set.has(name);
  open[open.length - 1] = set.add(name);
  return fresh;
}

function endOfString(json: string, start: number): number {
  for (let i = start + 1; i < json.length; i += 1) {
    const code = json.charCodeAt(i);
    if (code === QUOTE) return i;
    if (code === BACKSLASH) i += 1;
  }
  return json.length;
}

function afterSpace(json: string, start: number): number {
  let i = start;
  while (json.charCodeAt(i) <= SPACE) i += 1;
  return i;
}

/** `"email"` and `"\u0065mail"` are one name. */
function nameAt(json: string, start: number, end: number): string {
  const text = json.slice(start + 1, end);
  return text.includes('\\') ? String(JSON.parse(`"${text}"`)) : text;
}
