/** How long the server waits for its clients, in milliseconds, and what it keeps for them, in bytes. */
export interface Patience {
  /** For all the headers of a request, and for all of the request. */
  readonly headers: number;
  readonly request: number;
  /** For the next request on a connection. */
  readonly keepAlive: number;
  /** For a client that takes nothing of its answer. */
  readonly reading: number;
  /** What waits to be taken, of all connections together. */
  readonly unread: number;
  /** Once closing: for another request on a connection that is open already. */
  readonly lastRequest: number;
  /** Once closing: for everything. */
  readonly farewell: number;
}

/** Docker kills ten seconds after it has asked to stop; the database is closed after the last connection. */
export const PATIENCE: Patience = {
  headers: 10_000,
  request: 30_000,
  keepAlive: 65_000,
  reading: 30_000,
  unread: 64 * 1024 * 1024,
  lastRequest: 2_000,
  farewell: 5_000,
};
