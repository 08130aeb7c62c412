import type { Pool } from 'pg';
import type { Api } from './api';
import type { BenchData } from './bench-data';
import type { BenchRequest } from './request';

export interface RecordedStatement {
  readonly text: string;
  readonly values?: readonly unknown[];
}

/** What the service did for one request after it had identified the caller: the floor does only the same. */
export interface Recording {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly statements: readonly RecordedStatement[];
}

/** The work of the floor before it answers its n-th request. */
export type FloorWork = (n: number) => Promise<void>;

/** One line of the bench. */
export interface Line {
  /** A short name, for `--only`. */
  readonly name: string;
  readonly work: string;
  readonly data: string;
  /** The minimum ratio to the floor; undefined if the specification has none. */
  readonly target?: number;
  /** The name of the line with which its cost is compared, and the maximum multiple. */
  readonly growth?: { readonly from: string; readonly most: number };
  /** Prepares the database for the line. */
  setup(data: BenchData): Promise<void>;
  /** Returns one request for all connections, or one for each. Called before each round. */
  requests(api: Api, connections: number): Promise<readonly BenchRequest[]>;
  /** The body of a connection's next request, if it depends on the last answer. */
  readonly next?: (answer: string) => string;
  /** Used if repeating the recorded statements would not be the same work; undefined: there is no work. */
  readonly floor?: (recording: Recording, pool: Pool) => Promise<FloorWork | undefined>;
  readonly beside?: Beside;
  /**
   * The number of requests of each connection in a turn, instead of a time: requests that are unfinished when the time
   * ends would count as cost but not as answers, which matters where one takes long.
   */
  readonly each?: number;
}

/** A peer that answers the requests of a line in the same rounds. */
export interface Beside {
  readonly peer: PeerName;
  /** The maximum CPU of the service, as a multiple of that of the peer. */
  readonly most: number;
  /** Fields whose values differ in each answer, such as keys; all others must be the same from both. */
  readonly varies?: readonly string[];
}

/**
 * `by-hand`: a service written by hand for only these rules. `apollo`: bare Apollo Server, with the answer in memory.
 */
export type PeerName = 'by-hand' | 'apollo';
