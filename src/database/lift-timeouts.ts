/**
 * For migrations, and for what waits for one. The role may have a time-out for idle transactions: while a migration runs
 * outside of the transaction that holds the lock, that one is idle.
 */
export const LIFT_TIMEOUTS = [
  'SET LOCAL statement_timeout = 0',
  'SET LOCAL lock_timeout = 0',
  'SET LOCAL idle_in_transaction_session_timeout = 0',
];
