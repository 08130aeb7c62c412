import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceUnavailable } from '../common/errors';
import { mayRepeat, serverError } from './database-fault';

/** A deadlock costs the time until the database notices it. */
const DEADLOCKS = 4;
/** Giving way costs nothing. */
const GIVING_WAY = 12;
/** The first try is followed by a random wait of up to this long (ms), each further one by up to twice as long as before. */
const PAUSE = 10;
const LONGEST_PAUSE = 200;
/** Deadlock and serialization failure: the database rolled one of two transactions back, which can be run again. */
const AGAIN: readonly string[] = ['40P01', '40001'];

/** Thrown in a transaction instead of a wait that would end in a deadlock, after which it is rolled back and run again. */
export class DeadlockAhead extends Error {}

/** @param work a whole transaction, or a statement outside of one */
export async function retryDeadlock<T>(work: () => Promise<T>): Promise<T> {
  let [deadlocks, givenWay] = [0, 0];
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isRetryable(error)) throw error;
      const isAhead = error instanceof DeadlockAhead;
      if (isAhead) givenWay += 1;
      else deadlocks += 1;
      if (givenWay === GIVING_WAY || deadlocks === DEADLOCKS) throw isAhead ? error.cause : error;
      const tries = givenWay + deadlocks;
      await sleep(Math.random() * Math.min(PAUSE * 2 ** (tries - 1), LONGEST_PAUSE));
    }
  }
}

/** Also where another transaction, for which this one has waited, was given up. */
function isRetryable(error: unknown): boolean {
  if (error instanceof DeadlockAhead) return true;
  const cause = error instanceof ServiceUnavailable ? error.cause : error;
  return AGAIN.includes(serverError(cause)?.code ?? '') || mayRepeat(error);
}
