import { malformed } from '../../access';
import { parseObject } from './json-parameter';
import type { RawQuery } from './query';

/** What `deep` asks of each relation, by the relation's name or alias. */
export type DeepQuery = ReadonlyMap<string, Readonly<Record<string, unknown>>>;

const NAME = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;
const DEEP_PARAMETERS = ['_filter', '_sort', '_limit', '_offset', '_page', '_search', '_alias'];

/** `_filter`, `_sort` … of one relation are its query; what stands beside them speaks of the relations below. */
export function deepParameters(deep: Readonly<Record<string, unknown>> | undefined): RawQuery {
  const own: Record<string, unknown> = {};
  const below: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(deep ?? {})) {
    if (DEEP_PARAMETERS.includes(name)) own[name.slice(1)] = value;
    else if (name.startsWith('_'))
      throw malformed(['deep', name], 'is no query parameter of a relation');
    else below[name] = value;
  }
  return { ...own, deep: below };
}

export function parseDeep(raw: unknown): DeepQuery {
  const found = new Map<string, Readonly<Record<string, unknown>>>();
  for (const [name, value] of Object.entries(parseObject(raw, 'deep'))) {
    if (typeof value !== 'object' || value === null)
      throw malformed(['deep', name], 'must be an object');
    found.set(name, value as Readonly<Record<string, unknown>>);
  }
  return found;
}

/** `alias[shown]=field`. */
export function parseAlias(raw: unknown): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(parseObject(raw, 'alias')).map(([as, field]: [string, unknown]) => {
      if (!NAME.test(as) || as === 'constructor')
        throw malformed(['alias', as], 'is no name for a field');
      if (typeof field !== 'string') throw malformed(['alias', as], 'must name a field');
      return [as, field];
    }),
  );
}
