/** How long the server waits for its clients, in milliseconds, and what it keeps for them, in bytes. */
export interface HttpTimeouts {
  /** For all the headers of a request, and for all of the request. */
  readonly headers: number;
  readonly request: number;
  /** For the next request on a connection. */
  readonly keepAlive: number;
  /** For a client that takes nothing of its answer. */
  readonly slowReader: number;
  /** What waits to be taken, of all connections together. */
  readonly maxUnreadBytes: number;
  /** Once closing: for another request on a connection that is open already. */
  readonly idleGrace: number;
  /** Once closing: for everything. */
  readonly drain: number;
}

/** Docker kills ten seconds after it has asked to stop; the database is closed after the last connection. */
export const HTTP_TIMEOUTS: HttpTimeouts = {
  headers: 10_000,
  request: 30_000,
  keepAlive: 65_000,
  slowReader: 30_000,
  maxUnreadBytes: 64 * 1024 * 1024,
  idleGrace: 2_000,
  drain: 5_000,
};
