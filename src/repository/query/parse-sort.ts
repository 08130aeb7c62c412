import {
  type FieldLookup,
  type FieldShape,
  functionsOf,
  hidden,
  malformed,
  parseCall,
  supportsTest,
  expressionType,
  type FieldExpression,
  type ToOneShape,
} from '../../engine';
import { parseNames } from './parameters';
import type { SortTerm } from './query';

const MAX_TERMS = 20;
const MAX_HOPS = 10;

/** Reads `-published_at,category.name,count(notes)`; the last name may be a function of a field. */
export function parseSort(raw: unknown, collection: string, lookup: FieldLookup): SortTerm[] {
  return parseTerms(raw).map(({ name, descending }) => ({
    ...parsePath(name, collection, lookup),
    descending,
  }));
}

/** Reads names, each with an optional minus before it. */
export function parseTerms(
  raw: unknown,
): { readonly name: string; readonly descending: boolean }[] {
  const terms = parseNames(raw, ['sort']) ?? [];
  if (terms.length > MAX_TERMS) throw malformed(['sort'], `must have at most ${MAX_TERMS} fields`);
  return terms.map((term) => {
    const descending = term.startsWith('-');
    if (term === '-') throw malformed(['sort'], 'must be names, separated by commas');
    return { name: descending ? term.slice(1) : term, descending };
  });
}

/** What a path is used for: a value without an order can be counted, but not sorted by. */
interface PathUse {
  readonly position: string;
  readonly ordered: boolean;
}

/** Follows a dotted path through to-one fields to its last field. */
export function parsePath(
  text: string,
  collection: string,
  lookup: FieldLookup,
  { position, ordered }: PathUse = { position: 'sort', ordered: true },
): { readonly hops: readonly ToOneShape[]; readonly expression: FieldExpression } {
  const path = [position, text];
  const hops: ToOneShape[] = [];
  let at = collection;
  const parts = text.split('.', MAX_HOPS + 1);
  if (parts.length > MAX_HOPS) throw malformed(path, `must follow at most ${MAX_HOPS} fields`);
  for (const name of parts.slice(0, -1)) {
    const field = lookup.field(at, name);
    if (!field) throw hidden(path, at, name);
    if (field.kind !== 'to-one') throw malformed(path, `${name} leads to no single row`);
    hops.push(field);
    at = field.target;
  }
  const expression = parseExpression(parts.at(-1) ?? '', at, lookup, path);
  if (ordered && !isOrdered(expression)) throw malformed(path, 'cannot be sorted by');
  return { hops, expression };
}

/** Reads a field's name, or a function of one: `year(published_at)`. */
export function parseExpression(
  text: string,
  collection: string,
  lookup: FieldLookup,
  path: readonly string[],
): FieldExpression {
  const call = parseCall(text);
  const name = call?.argument ?? text;
  const field: FieldShape | undefined = lookup.field(collection, name);
  if (!field) throw hidden(path, collection, name);
  const fn = call?.fn ?? null;
  if (call && (fn === null || !functionsOf(field).includes(fn))) {
    throw malformed(path, `is no function of ${name}`);
  }
  return { field, fn };
}

function isOrdered(expression: FieldExpression): boolean {
  if (expression.fn === null && expression.field.kind === 'to-many') return false;
  const { type } = expressionType(expression);
  return type === 'boolean' || type === 'uuid' || type === 'enum' || supportsTest(type, 'lt');
}
