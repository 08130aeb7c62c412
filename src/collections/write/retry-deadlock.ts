import { DatabaseError } from 'pg';

const TRIES = 4;
/** Deadlock and serialization failure: the database undid one of two, which may simply come again. */
const AGAIN: readonly (string | undefined)[] = ['40P01', '40001'];

export async function retryDeadlock<T>(work: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof DatabaseError) || !AGAIN.includes(error.code) || tried === TRIES)
        throw error;
    }
  }
}
