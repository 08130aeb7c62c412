import { parse } from 'qs';
import { InvalidQuery } from '../errors';

const LIMITS = {
  depth: 20,
  strictDepth: true,
  parameterLimit: 1_000,
  arrayLimit: 1_000,
  throwOnLimitExceeded: true,
  // No prototypes: `constructor` is a key like any other, refused as unknown and not silently dropped.
  plainObjects: true,
  decoder: decode,
} as const;

const PROTOTYPE = '__proto__';

/** `name[key][key]`, where a key may be empty. */
const WELL_FORMED = /^[^[\]]+(?:\[[^[\]]*\])*$/;
/** A value without a name. */
const NAMELESS = /(?:^|&)=/;

/** Throws where the parser would silently skip a name, with any filter under it, or text outside of the brackets. */
function decode(
  text: string,
  plain: (text: string) => string,
  _charset: string,
  type: 'key' | 'value',
): string {
  const decoded = plain(text);
  // Nothing between two `&` is no parameter.
  if (type === 'key' && decoded !== '') refuseMalformed(decoded);
  return decoded;
}

function refuseMalformed(key: string): void {
  if (key.includes(PROTOTYPE)) {
    throw new InvalidQuery({ field: PROTOTYPE, reason: 'is no query parameter' });
  }
  if (WELL_FORMED.test(key)) return;
  const name = key.split(/[[\]]/, 1)[0] ?? '';
  if (name === '') throw nameless();
  throw new InvalidQuery({
    field: name,
    reason: `must be followed by nothing but keys in brackets: ${name}[key][key]`,
  });
}

const nameless = (): Error => new InvalidQuery({ reason: 'a query parameter has no name' });

/** `a[b]=c`, `a[]=b`, `a=b&a=c`. Throws INVALID_QUERY where the string is malformed or out of bounds. */
export function parseQueryString(text: string | undefined | null): object {
  if (text === undefined || text === null || text === '') return {};
  if (NAMELESS.test(text)) throw nameless();
  try {
    return parse(text, LIMITS);
  } catch (error) {
    if (error instanceof InvalidQuery) throw error;
    throw new InvalidQuery(
      { reason: 'the query string is too deep or too long' },
      { cause: error },
    );
  }
}
