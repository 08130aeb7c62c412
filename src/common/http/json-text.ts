const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const SPACE = 0x20;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;
const LIST = 0x5b;
const LIST_END = 0x5d;

/** Objects and lists in each other. Whatever reads a body goes down as deep as it is, and a stack has an end. */
const MAX_DEPTH = 200;

/** The names of an object so far. Most objects of a hostile text have one: no set is made for that. */
type Names = string | Set<string> | undefined;

/**
 * What is wrong with a JSON text that is valid: too deep, or an object that has a name twice. Of two values readers take
 * now the first, now the last: what a proxy has judged might not be what is done here. By hand, since it is done for
 * every body: a pattern takes ten times as long on a text that is made to be slow.
 * @param json must be valid
 * @returns nothing if there is nothing
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
      if (isName && !take(open, nameAt(json, i, end))) return 'must not name anything twice';
      i = next - 1;
    }
  }
  return undefined;
}

/** Notes a name of the innermost object; false where it is there already. */
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
