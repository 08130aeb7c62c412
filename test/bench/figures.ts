import type { Line } from './line';

/** What one turn of load showed of one server. */
export interface Turn {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Microseconds of CPU for each request. */
  readonly cpu: number;
}

/** One round: the floor and, right after it, the service. */
export interface Round {
  readonly floor: Turn;
  readonly service: Turn;
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
  /** How much dearer than the line it must not grow from. */
  readonly growth?: { readonly from: string; readonly times: number; readonly most: number };
  readonly met: boolean;
}

/** Half are lower and half are higher: one disturbed round does not count. */
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
});

/** Compares within each round, whose two turns met the same machine, and across rounds takes the median. */
export function figuresOf(
  { name, work, data, target, growth }: Line,
  rounds: readonly Round[],
  rss: number,
  others: readonly Figures[],
): Figures {
  const ratios = rounds.map((round) => round.service.perSecond / round.floor.perSecond);
  const ratio = median(ratios);
  const origin = growth && others.find((other) => other.name === growth.from);
  const grown = origin && { ...growth, times: origin.ratio / ratio };
  return {
    ...{ name, work, data, target, ratio },
    spread: [Math.min(...ratios), Math.max(...ratios)],
    floor: together(rounds.map((round) => round.floor)),
    service: together(rounds.map((round) => round.service)),
    rss,
    ...(grown && { growth: grown }),
    met: ratio >= (target ?? 0) && (!grown || grown.times <= grown.most),
  };
}
