import type { DisconnectSignal, RequestInfo } from '../engine';

/** What a request shows about its sender. */
export interface CallerFacts {
  readonly user: string | null;
  readonly session: string | null;
  readonly ip: string | null;
  readonly staticToken?: StaticTokenFacts;
  /** Aborted when the client disconnects before the answer. */
  readonly left?: DisconnectSignal;
  readonly request?: RequestInfo;
}

/** The static token of a request. */
export interface StaticTokenFacts {
  readonly id: string;
  /** Only these of the user's policies apply; null: all of them. */
  readonly policies: ReadonlySet<string> | null;
}
