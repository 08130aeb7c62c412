import { clearTimeout, setTimeout } from 'node:timers';
import { ServiceUnavailable } from './errors';

/** Milliseconds after which a silent database counts as unavailable. */
const TIMEOUT_MS = 5_000;

/** @throws ServiceUnavailable where the database does not answer in 5 s */
export async function withDatabaseTimeout<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const fault = new ServiceUnavailable({ service: 'database', reason: 'it does not answer' });
    timer = setTimeout(() => reject(fault), TIMEOUT_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
