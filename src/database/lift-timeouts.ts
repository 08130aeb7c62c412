/** For migrations, and for what waits for one. */
export const LIFT_TIMEOUTS = ['SET LOCAL statement_timeout = 0', 'SET LOCAL lock_timeout = 0'];
