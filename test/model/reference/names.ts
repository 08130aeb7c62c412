import { OPERATORS } from '../../../src/engine';
import { fieldOf } from '../tables';
import type { Asked, AskedRelation, Query, RawFilter, World } from '../world';
import { isShort, testedBy, written } from './meets';
import { isVariable, startOf } from './variables';
import { mayName, mayRead } from './virtual';

/** Whether a query may contain a name; without a field it is the name of a collection. */
export type Allowed = (collection: string, field?: string) => boolean;

/** In filters and sorts nobody may name concealed fields. */
export const namesOf =
  (world: World): Allowed =>
  (collection, field) =>
    field === undefined
      ? mayRead(world, collection)
      : mayName(world, collection, field) && !fieldOf(collection, field).concealed;

/** A concealed field is shown as stars; functions of it are never shown. */
function mayShow(name: string, collection: string, world: World): boolean {
  const { field, fn } = testedBy(name, collection);
  return mayName(world, collection, field.name) && (fn === null || !field.concealed);
}

/** The query with only what the caller may name. */
export function pruned(query: Query, world: World): Query {
  return { ...query, asked: pruneAsked(query.asked, query.collection, world) };
}

function pruneAsked(asked: Asked, collection: string, world: World): Asked {
  const allowed = namesOf(world);
  const fields = asked.fields.filter(({ name }) => mayShow(name, collection, world));
  const relations = asked.relations.flatMap((each): AskedRelation[] => {
    const field = fieldOf(collection, each.name);
    if (field.kind === 'column' || !mayName(world, collection, each.name)) return [];
    return [{ ...each, asked: each.asked && pruneAsked(each.asked, field.target, world) }];
  });
  return {
    ...asked,
    star: asked.star || fields.length + relations.length === 0,
    fields,
    relations,
    filter: asked.filter && pruneFilter(asked.filter, collection, allowed),
    sort: asked.sort.filter((term) => pathAllowed(term.replace('-', ''), collection, allowed)),
  };
}

function pathAllowed(path: string, collection: string, allowed: Allowed): boolean {
  const [name = '', ...rest] = path.split('.');
  const { field } = testedBy(name, collection);
  if (!allowed(collection, field.name)) return false;
  return rest.length === 0 || field.kind !== 'to-one'
    ? rest.length === 0
    : pathAllowed(rest.join('.'), field.target, allowed);
}

const entries = (raw: unknown): [string, unknown][] => Object.entries((raw ?? {}) as RawFilter);

export function pruneFilter(raw: RawFilter, collection: string, allowed: Allowed): RawFilter {
  return Object.fromEntries(
    entries(raw).flatMap(([name, value]): [string, unknown][] => {
      if (isShort(value)) return pruneShort(name, value, collection, allowed);
      if (name === '_and' || name === '_or') {
        const kept = (value as RawFilter[]).map((each) => pruneFilter(each, collection, allowed));
        return [[name, kept]];
      }
      const { field } = testedBy(name, collection);
      if (!allowed(collection, field.name)) return [];
      const target = field.kind === 'column' ? collection : field.target;
      const inner = entries(value).flatMap((each) => pruneInner(each, target, allowed));
      return inner.length === 0 ? [] : [[name, Object.fromEntries(inner)]];
    }),
  );
}

const pruneShort = (
  name: string,
  value: unknown,
  collection: string,
  allowed: Allowed,
): [string, unknown][] =>
  allowed(collection, testedBy(name, collection).field.name) && operandAllowed(value, allowed)
    ? [[name, value]]
    : [];

function pruneInner([word, raw]: [string, unknown], target: string, allowed: Allowed) {
  if (OPERATORS.has(word)) return operandAllowed(raw, allowed) ? [[word, raw] as const] : [];
  if (word === '_some' || word === '_none')
    return [[word, pruneFilter(raw as RawFilter, target, allowed)] as const];
  return entries(pruneFilter({ [word]: raw }, target, allowed));
}

/** A variable with a path names the fields on the path. */
function operandAllowed(raw: unknown, allowed: Allowed): boolean {
  const written = Array.isArray(raw) ? (raw as unknown[]) : [raw];
  return written.filter(isVariable).every((variable) => {
    const [start = '', ...path] = variable.split('.');
    return path.length === 0 || pathAllowed(path.join('.'), startOf(start), allowed);
  });
}

/** The variables with a path in a query, each once, including those in the filters of its relations. */
export function pathsIn({ filter, relations }: Asked): Set<string> {
  const written = JSON.stringify(filter).match(/"\$CURRENT_(?:USER|ROLE)\.[\w.]+"/g) ?? [];
  const inner = relations.flatMap(({ asked }) => (asked ? [...pathsIn(asked)] : []));
  return new Set([...written, ...inner]);
}

/** Whether everything that the query names may be named. */
export function isAllowed(query: Query, world: World): boolean {
  return mayRead(world, query.collection) && isAskedAllowed(query.asked, query.collection, world);
}

function isAskedAllowed(asked: Asked, collection: string, world: World): boolean {
  const allowed = namesOf(world);
  return (
    asked.fields.every(({ name }) => mayShow(name, collection, world)) &&
    asked.sort.every((term) => pathAllowed(term.replace('-', ''), collection, allowed)) &&
    isFilterAllowed(asked.filter, collection, allowed) &&
    asked.relations.every((each) => isRelationAllowed(each, collection, world))
  );
}

function isRelationAllowed({ name, asked }: AskedRelation, collection: string, world: World) {
  const field = fieldOf(collection, name);
  if (field.kind === 'column') throw new Error(`${name} leads nowhere`);
  if (!mayName(world, collection, name)) return false;
  // In an unreadable collection nothing may be named: opened without names, a row is null and a list is empty.
  return !asked || isAskedAllowed(asked, field.target, world);
}

export function isFilterAllowed(raw: unknown, collection: string, allowed: Allowed): boolean {
  return entries(raw).every(([name, value]) => {
    if (name === '_and' || name === '_or')
      return (value as unknown[]).every((each) => isFilterAllowed(each, collection, allowed));
    const { field } = testedBy(name, collection);
    if (!allowed(collection, field.name)) return false;
    const target = field.kind === 'column' ? collection : field.target;
    return entries(written(value)).every(([word, inner]) => {
      if (OPERATORS.has(word)) return operandAllowed(inner, allowed);
      const quantified = word === '_some' || word === '_none';
      return isFilterAllowed(quantified ? inner : { [word]: inner }, target, allowed);
    });
  });
}
