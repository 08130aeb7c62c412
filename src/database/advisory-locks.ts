/**
 * All advisory locks of the service, by the work that they protect, each as the arguments of PostgreSQL's functions.
 * Advisory locks apply to the whole database, also between instances of two versions: all must differ, and none may
 * ever change. The numbers are arbitrary ones that nobody else on the server uses.
 */
const ADVISORY_LOCKS = {
  migrations: '7215408311',
  firstStart: '7215408313',
  marks: '7215408314',
  sealing: '7215408320',
  administrators: `hashtext('privileges')`,
  roleTree: `hashtext('service_roles.parent')`,
  /** `address.key`: the hash of an address. */
  address: `hashtext('service_users.email'), address.key`,
  /** `$1`: the table. */
  sweep: `hashtext($1 || '.sweep')`,
} as const;

type AdvisoryLock = keyof typeof ADVISORY_LOCKS;

/** A statement that waits until the lock is free, and holds it until the transaction ends. */
export const takeAdvisoryLock = (lock: AdvisoryLock): string =>
  `SELECT pg_advisory_xact_lock(${ADVISORY_LOCKS[lock]})`;

/** A statement that takes the lock until the transaction ends, if it is free; its column `ours` says whether it did. */
export const tryAdvisoryLock = (lock: AdvisoryLock): string =>
  `SELECT pg_try_advisory_xact_lock(${ADVISORY_LOCKS[lock]}) AS ours`;
