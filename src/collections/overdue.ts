import { Logger } from '@nestjs/common';
import { clearTimeout, setTimeout } from 'node:timers';
import type { CollectionHooks } from '../repository/hooks';

/** Milliseconds. */
const LONG = 60_000;

const logger = new Logger('Collections');

/**
 * Warns in the log after a minute: work that waits for a promise that never settles keeps a connection and its locks, and
 * requests that wait for these show no reason.
 * @param what the name of the work, as the beginning of a sentence
 * @returns the work itself
 */
export function warnIfOverdue<T>(what: string, work: Promise<T>, after = LONG): Promise<T> {
  const warn = (): void =>
    logger.warn(
      `${what} has not ended after ${after / 1000} s; a transaction stays open until then, with its connection and locks. Does it wait for a promise that never settles?`,
    );
  const timer = setTimeout(warn, after).unref();
  const clear = (): void => clearTimeout(timer);
  work.then(clear, clear);
  return work;
}

/** The same hooks, with a warning in the log while one of them does not return. */
export const watchedHooks = (hooks: CollectionHooks, collection: string): CollectionHooks =>
  Object.fromEntries(
    Object.entries(hooks).map(([name, hook]) => [name, watched(`${name} of ${collection}`, hook)]),
  );

function watched(what: string, hook: unknown): unknown {
  if (typeof hook !== 'function') return hook;
  return (...args: unknown[]): unknown => {
    const result: unknown = hook(...args);
    return result instanceof Promise ? warnIfOverdue(what, result) : result;
  };
}
