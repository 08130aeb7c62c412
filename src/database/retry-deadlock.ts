import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseError } from 'pg';
import { mayRepeat } from './database-fault';

const TRIES = 4;
/** The longest random wait after the first try (ms), so that the same requests do not meet again; then twice and so on. */
const PAUSE = 10;
/** Deadlock and serialization failure: the database rolled one of two transactions back, which can be run again. */
const AGAIN: readonly (string | undefined)[] = ['40P01', '40001'];

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

const isRetryable = (error: unknown): boolean =>
  (error instanceof DatabaseError && AGAIN.includes(error.code)) || mayRepeat(error);
