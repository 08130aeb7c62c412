import { setMaxListeners } from 'node:events';
import type { Request } from 'express';

/** Aborted when the client of a request goes away before it has its answer. */
export function clientLeft({ res }: Request): AbortSignal {
  const left = new AbortController();
  // One request may ask for much at once.
  setMaxListeners(0, left.signal);
  res?.once('close', () => {
    if (!res.writableFinished) left.abort();
  });
  return left.signal;
}
