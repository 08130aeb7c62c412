import {
  type FieldLookup,
  type FieldShape,
  functionsOf,
  hidden,
  malformed,
  parseCall,
  serves,
  subjectType,
  type Subject,
  type ToOneShape,
} from '../../engine';
import { parseNames } from './parameters';
import type { SortTerm } from './query';

const MOST_TERMS = 20;
const MOST_HOPS = 10;

/** Reads `-published_at,category.name,count(notes)`; the last name may be a function of a field. */
export function parseSort(raw: unknown, collection: string, lookup: FieldLookup): SortTerm[] {
  return parseTerms(raw).map(({ name, descending }) => ({
    ...parsePath(name, collection, lookup),
    descending,
  }));
}

/** Reads names of which each may have a minus before it. */
export function parseTerms(
  raw: unknown,
): { readonly name: string; readonly descending: boolean }[] {
  const terms = parseNames(raw, ['sort']) ?? [];
  if (terms.length > MOST_TERMS)
    throw malformed(['sort'], `must have at most ${MOST_TERMS} fields`);
  return terms.map((term) => {
    const descending = term.startsWith('-');
    return { name: descending ? term.slice(1) : term, descending };
  });
}

/** What a path is for: a value that has no order can be counted, but not sorted by. */
interface PathUse {
  readonly place: string;
  readonly ordered: boolean;
}

/** Follows a dotted path through to-one fields to what it ends at. */
export function parsePath(
  text: string,
  collection: string,
  lookup: FieldLookup,
  { place, ordered }: PathUse = { place: 'sort', ordered: true },
): { readonly hops: readonly ToOneShape[]; readonly subject: Subject } {
  const path = [place, text];
  const hops: ToOneShape[] = [];
  let at = collection;
  const parts = text.split('.', MOST_HOPS + 1);
  if (parts.length > MOST_HOPS) throw malformed(path, `must follow at most ${MOST_HOPS} fields`);
  for (const name of parts.slice(0, -1)) {
    const field = lookup.field(at, name);
    if (!field) throw hidden(path, at, name);
    if (field.kind !== 'to-one') throw malformed(path, `${name} leads to no single row`);
    hops.push(field);
    at = field.target;
  }
  const subject = parseSubject(parts.at(-1) ?? '', at, lookup, path);
  if (ordered && !isOrdered(subject)) throw malformed(path, `${subject.field.name} has no order`);
  return { hops, subject };
}

function parseSubject(
  text: string,
  collection: string,
  lookup: FieldLookup,
  path: readonly string[],
): Subject {
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

function isOrdered(subject: Subject): boolean {
  if (subject.fn === null && subject.field.kind === 'to-many') return false;
  const { type } = subjectType(subject);
  return type === 'boolean' || type === 'uuid' || type === 'enum' || serves(type, 'lt');
}
