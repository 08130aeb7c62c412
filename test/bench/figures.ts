import type { Line, PeerName } from './line';

/** The measurements of one turn of load on one server. */
export interface Turn {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Microseconds of CPU for each request: of the server and, if it is on this machine, of the database. */
  readonly cpu: number;
  readonly database?: number;
}

/** One round: the floor and, right after it, the service, and the peer if there is one. */
export interface Round {
  readonly floor: Turn;
  readonly service: Turn;
  readonly peer?: Turn;
}

/** The CPU of the service as a multiple of that of a peer. */
export interface BesideFigures {
  readonly peer: PeerName;
  readonly turn: Turn;
  readonly times: number;
  /** The lowest and the highest value of a round. */
  readonly spread: readonly [number, number];
  readonly most: number;
}

export interface Figures {
  readonly name: string;
  readonly work: string;
  readonly data: string;
  readonly target: number | undefined;
  readonly ratio: number;
  /** The lowest and the highest ratio of a round. */
  readonly spread: readonly [number, number];
  readonly floor: Turn;
  readonly service: Turn;
  /** Megabytes, after the line's load. */
  readonly rss: number;
  /** The cost as a multiple of that of the line with which it is compared. */
  readonly growth?: { readonly from: string; readonly times: number; readonly most: number };
  readonly beside?: BesideFigures;
  readonly met: boolean;
}

/** The median, so that one disturbed round does not count. */
export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}

const together = (turns: readonly Turn[]): Turn => ({
  perSecond: median(turns.map((turn) => turn.perSecond)),
  p50: median(turns.map((turn) => turn.p50)),
  p99: Math.max(...turns.map((turn) => turn.p99)),
  cpu: median(turns.map((turn) => turn.cpu)),
  ...(turns.every(({ database }) => database !== undefined) && {
    database: median(turns.map(({ database = 0 }) => database)),
  }),
});

function besideOf({ beside }: Line, rounds: readonly Round[]): BesideFigures | undefined {
  const pairs = rounds.flatMap(({ service, peer }) => (peer ? [{ service, peer }] : []));
  if (!beside || pairs.length === 0) return undefined;
  // A peer without a database is compared with the CPU of the service alone.
  const cost = ({ cpu, database = 0 }: Turn) => cpu + (beside.peer === 'apollo' ? 0 : database);
  const times = pairs.map(({ service, peer }) => cost(service) / cost(peer));
  return {
    ...{ peer: beside.peer, most: beside.most, turn: together(pairs.map(({ peer }) => peer)) },
    ...{ times: median(times), spread: [Math.min(...times), Math.max(...times)] },
  };
}

/** Compares within each round, since its turns ran under the same conditions, and takes the median of the rounds. */
export function figuresOf(
  line: Line,
  rounds: readonly Round[],
  rss: number,
  others: readonly Figures[],
): Figures {
  const { name, work, data, target, growth } = line;
  const ratios = rounds.map((round) => round.service.perSecond / round.floor.perSecond);
  const ratio = median(ratios);
  const origin = growth && others.find((other) => other.name === growth.from);
  const grown = origin && { ...growth, times: origin.ratio / ratio };
  const beside = besideOf(line, rounds);
  return {
    ...{ name, work, data, target, ratio },
    spread: [Math.min(...ratios), Math.max(...ratios)],
    floor: together(rounds.map((round) => round.floor)),
    service: together(rounds.map((round) => round.service)),
    rss,
    ...(grown && { growth: grown }),
    ...(beside && { beside }),
    met:
      ratio >= (target ?? 0) &&
      (!grown || grown.times <= grown.most) &&
      (!beside || beside.times <= beside.most),
  };
}
