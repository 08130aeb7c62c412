import type { Request } from 'express';

/** The cookie of this name; of several the first, which has the most specific path. */
export function readCookie({ headers }: Request, name: string): string | undefined {
  for (const pair of headers.cookie?.split(';') ?? []) {
    const equals = pair.indexOf('=');
    if (equals !== -1 && pair.slice(0, equals).trim() === name) {
      return pair.slice(equals + 1).trim();
    }
  }
  return undefined;
}
