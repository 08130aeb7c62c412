/**
 * For migrations, and for what waits for one. The role may have a time-out for idle transactions: while a migration runs
 * outside of the transaction that holds the lock, that one is idle. It comes first, since it may also end the session
 * between these statements. PostgreSQL 17 and later can limit a whole transaction.
 */
export const LIFT_TIMEOUTS = [
  'SET LOCAL idle_in_transaction_session_timeout = 0',
  'SET LOCAL statement_timeout = 0',
  'SET LOCAL lock_timeout = 0',
  "SELECT set_config('transaction_timeout', '0', true) WHERE current_setting('transaction_timeout', true) IS NOT NULL",
];
