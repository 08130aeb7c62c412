import { countValues } from '../count-values';

/** Characters that are assembled at once: a millisecond or two. */
const PIECE = 64 * 1024;
/** Values up to this number are written at once by JSON.stringify. */
const FEW = 2_000;

/** Members of a list that are written at once if they are short, such as rows. */
const TOGETHER = 50;

/** Whether it is written at once. */
export const isSmall = (value: object): boolean => countValues(value, FEW) <= FEW;

/** The output of `JSON.stringify`, piece by piece. */
export function* jsonPieces(value: object, size = PIECE): Generator<string> {
  let text = '';
  for (const part of partsOf(value)) {
    text += part;
    if (text.length < size) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

function* partsOf(value: unknown): Generator<string> {
  if (!isPlain(value) || countValues(value, FEW) <= FEW) yield JSON.stringify(value) ?? 'null';
  else if (Array.isArray(value)) yield* partsOfList(value);
  else yield* partsOfObject(value);
}

function* partsOfList(list: readonly unknown[]): Generator<string> {
  for (let at = 0; at < list.length; at += TOGETHER) {
    const some = list.slice(at, at + TOGETHER);
    yield at === 0 ? '[' : ',';
    if (countValues(some, FEW) <= FEW) yield JSON.stringify(some).slice(1, -1);
    else yield* partsOfMembers(some);
  }
  yield ']';
}

function* partsOfMembers(list: readonly unknown[]): Generator<string> {
  for (const [index, member] of list.entries()) {
    if (index > 0) yield ',';
    yield* partsOf(member);
  }
}

function* partsOfObject(object: object): Generator<string> {
  let before = '{';
  for (const [name, member] of Object.entries(object) as [string, unknown][]) {
    if (member === undefined) continue;
    yield `${before}${JSON.stringify(name)}:`;
    yield* partsOf(member);
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}

/** A list, or a plain object. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || Array.isArray(value);
}
