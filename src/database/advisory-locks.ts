/**
 * All advisory locks of the service, by what is done while one is held: as PostgreSQL's functions take them. Locks are of
 * the whole database, and instances of two versions share one: no two may be the same, and none may change. The numbers
 * are any that nobody else on the server uses.
 */
const ADVISORY_LOCKS = {
  migrations: '7215408311',
  firstStart: '7215408313',
  marks: '7215408314',
  sealing: '7215408320',
  administrators: `hashtext('privileges')`,
  roleTree: `hashtext('service_roles.parent')`,
  /** `invitee.key`: the hash of an address. */
  invitee: `hashtext('service_users.email'), invitee.key`,
  /** `$1`: the table. */
  sweep: `hashtext($1 || '.sweep')`,
} as const;

type AdvisoryLock = keyof typeof ADVISORY_LOCKS;

/** The statement that waits until the lock is free, and holds it until the transaction ends. */
export const takeAdvisoryLock = (lock: AdvisoryLock): string =>
  `SELECT pg_advisory_xact_lock(${ADVISORY_LOCKS[lock]})`;

/** The statement that holds the lock until the transaction ends, if it is free: `ours` says so. */
export const tryAdvisoryLock = (lock: AdvisoryLock): string =>
  `SELECT pg_try_advisory_xact_lock(${ADVISORY_LOCKS[lock]}) AS ours`;
