import type { Pool } from 'pg';
import type { Api } from './api';
import type { BenchData } from './bench-data';
import type { BenchRequest } from './request';

export interface RecordedStatement {
  readonly text: string;
  readonly values?: readonly unknown[];
}

/** What the service did for one request, once it knew the caller: the floor does the same and no more. */
export interface Recording {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly statements: readonly RecordedStatement[];
}

/** What the floor does before it answers its n-th request. */
export type FloorWork = (n: number) => Promise<void>;

/** One line of the table. */
export interface Line {
  /** Short, for `--only`. */
  readonly name: string;
  readonly work: string;
  readonly data: string;
  /** At least this much of the floor; none where the specification names none. */
  readonly target?: number;
  /** What it must not become slower than: another line's name, and by how much it may. */
  readonly growth?: { readonly from: string; readonly most: number };
  /** Brings the database to where the line is measured. */
  setup(data: BenchData): Promise<void>;
  /** One request for all connections, or one for each. Called before each round. */
  requests(api: Api, connections: number): Promise<readonly BenchRequest[]>;
  /** The body of a connection's next request, where it follows from the last answer. */
  readonly next?: (answer: string) => string;
  /** Where sending the recorded statements again would not be the same work; no work where nothing comes back. */
  readonly floor?: (recording: Recording, pool: Pool) => Promise<FloorWork | undefined>;
  readonly beside?: Beside;
  /**
   * How many requests of each connection a turn takes, in place of seconds: where one takes long, those that the end of
   * the time finds half done would count as cost and not as answers.
   */
  readonly each?: number;
}

/** Who else answers the requests of a line, in the same rounds. */
export interface Beside {
  readonly peer: PeerName;
  /** How many times its CPU the service may take. */
  readonly most: number;
  /** Fields whose values differ from answer to answer, as keys do; all others are the same from both. */
  readonly varies?: readonly string[];
}

/** `by-hand`: a service written by hand for these rules alone. `apollo`: bare Apollo Server, with the answer in memory. */
export type PeerName = 'by-hand' | 'apollo';
