import type { DisconnectSignal, RequestInfo } from '../engine';

/** What a request shows of who sends it. */
export interface CallerFacts {
  readonly user: string | null;
  readonly session: string | null;
  readonly ip: string | null;
  readonly staticToken?: StaticTokenFacts;
  /** Aborted when they go away without an answer. */
  readonly left?: DisconnectSignal;
  readonly request?: RequestInfo;
}

export interface StaticTokenFacts {
  readonly id: string;
  /** Of the user's policies only these serve; null: all of them. */
  readonly policies: ReadonlySet<string> | null;
}
