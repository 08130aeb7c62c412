import { DatabaseError } from 'pg';
import { isSessionShared } from '../../database/database-fault';

const TRIES = 4;
/** Deadlock and serialization failure: the database undid one of two, which may simply come again. */
const AGAIN: readonly (string | undefined)[] = ['40P01', '40001'];

export async function retryDeadlock<T>(work: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await work();
    } catch (error) {
      if (!mayComeAgain(error) || tried === TRIES) throw error;
    }
  }
}

const mayComeAgain = (error: unknown): boolean =>
  (error instanceof DatabaseError && AGAIN.includes(error.code)) || isSessionShared(error);
