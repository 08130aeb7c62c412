/** A migration, or one that it waits for, has no time limit. */
export const NO_TIMEOUTS = ['SET LOCAL statement_timeout = 0', 'SET LOCAL lock_timeout = 0'];
