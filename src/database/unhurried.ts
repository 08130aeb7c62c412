/** A migration, or one that it waits for, has no time limit. */
export const UNHURRIED = ['SET LOCAL statement_timeout = 0', 'SET LOCAL lock_timeout = 0'];
