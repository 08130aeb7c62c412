/** How long the server waits for clients, in milliseconds, and how much it buffers for them, in bytes. */
export interface HttpTimeouts {
  /** For all the headers of a request, and for all of the request. */
  readonly headers: number;
  readonly request: number;
  /** Until the next request on a connection. */
  readonly keepAlive: number;
  /** For a client that reads nothing of its answer. */
  readonly slowReader: number;
  /** Unread answers of all connections together. */
  readonly maxUnreadBytes: number;
  /** While closing: for another request on an open connection. */
  readonly idleGrace: number;
  /** While closing: for everything. */
  readonly drain: number;
}

/** Docker kills ten seconds after the stop signal; the database is closed after the last connection. */
export const HTTP_TIMEOUTS: HttpTimeouts = {
  headers: 10_000,
  request: 30_000,
  keepAlive: 65_000,
  slowReader: 30_000,
  maxUnreadBytes: 64 * 1024 * 1024,
  idleGrace: 2_000,
  drain: 5_000,
};
