import { onPostgres } from './test-storage';

/**
 * `describe` for what the embedded database, which has a single connection, cannot show: locks that one waits for, several
 * instances, a pooler. There the tests are skipped.
 */
export const describeOnPostgres = (name: string, tests: () => void): void =>
  (onPostgres() === undefined ? describe.skip : describe)(name, tests);

/** `it` for the same. */
export const itOnPostgres: (...test: Parameters<jest.It>) => void = (...test) =>
  (onPostgres() === undefined ? it.skip : it)(...test);
