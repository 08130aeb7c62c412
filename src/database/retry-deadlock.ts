import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseError } from 'pg';
import { ServiceUnavailable } from '../common/errors';
import { mayRepeat } from './database-fault';

const TRIES = 4;
/** A try is followed by a random wait of up to this long (ms), times the number of tries. */
const PAUSE = 10;
/** Deadlock and serialization failure: the database rolled one of two transactions back, which can be run again. */
const AGAIN: readonly (string | undefined)[] = ['40P01', '40001'];

/** Thrown in a transaction instead of a wait that would end in a deadlock: it is rolled back and run again likewise. */
export class DeadlockAhead extends Error {}

/** @param work a whole transaction, or a statement outside of one */
export async function retryDeadlock<T>(work: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await work();
    } catch (error) {
      if (!isRetryable(error) || tried === TRIES) throw error;
      await sleep(Math.random() * PAUSE * tried);
    }
  }
}

/** Also where another transaction, for which this one has waited, was given up. */
function isRetryable(error: unknown): boolean {
  if (error instanceof DeadlockAhead) return true;
  const cause = error instanceof ServiceUnavailable ? error.cause : error;
  return (cause instanceof DatabaseError && AGAIN.includes(cause.code)) || mayRepeat(error);
}
