import { Logger } from '@nestjs/common';
import { clearTimeout, setTimeout } from 'node:timers';
import type { CollectionHooks } from '../repository/hooks';

/** Milliseconds. */
const LONG = 60_000;

const logger = new Logger('Collections');

/**
 * Warns in the log where the work goes on for a minute: it may wait for what never comes, and whoever waits for its
 * connection and its locks could not tell why.
 * @param what the work, as the beginning of a sentence
 */
export function tellOverdue<T>(what: string, work: Promise<T>, after = LONG): Promise<T> {
  const timer = setTimeout(
    () =>
      logger.warn(
        `${what} has not ended after ${after / 1000} s; a transaction stays open until then, with its connection and locks. Does it wait for a promise that never settles?`,
      ),
    after,
  ).unref();
  return Promise.resolve(work).finally(() => clearTimeout(timer));
}

/** The same hooks, with a warning in the log while one of them does not return. */
export const watchedHooks = (hooks: CollectionHooks, collection: string): CollectionHooks =>
  Object.fromEntries(
    Object.entries(hooks).map(([name, hook]) => [name, watched(`${name} of ${collection}`, hook)]),
  );

function watched(what: string, hook: unknown): unknown {
  if (typeof hook !== 'function') return hook;
  return (...told: unknown[]): unknown => {
    const made: unknown = hook(...told);
    return made instanceof Promise ? tellOverdue(what, made) : made;
  };
}
