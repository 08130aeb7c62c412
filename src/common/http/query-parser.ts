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

/** The parser would silently skip such a name, with any filter under it. */
function decode(
  text: string,
  plain: (text: string) => string,
  _charset: string,
  type: 'key' | 'value',
): string {
  const decoded = plain(text);
  if (type === 'key' && decoded.includes(PROTOTYPE)) {
    throw new InvalidQuery({ field: PROTOTYPE, reason: 'is no query parameter' });
  }
  return decoded;
}

/** `a[b]=c`, `a[]=b`, `a=b&a=c`. Throws INVALID_QUERY where the string is out of bounds. */
export function parseQueryString(text: string | undefined | null): object {
  if (text === undefined || text === null || text === '') return {};
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
