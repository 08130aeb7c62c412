import type { Tally } from '../../support/traffic';

/** The results of one minute: numbers of requests, unless stated otherwise. */
export interface Minute {
  readonly minute: number;
  readonly requests: number;
  /** Acknowledged writes, and writes whose result is unknown. */
  readonly acknowledged: number;
  readonly unknown: number;
  /** Answers that were compared with the expected ones, and wrong ones. */
  readonly compared: number;
  readonly wrong: number;
  /** Answers of the balancer while an instance was missing, and of instances while the database was. */
  readonly badGateway: number;
  readonly unavailable: number;
  /** Resident memory of each instance, in MB. */
  readonly rss: readonly number[];
  readonly events: string;
}

type Counts = Omit<Minute, 'minute' | 'rss' | 'events'>;

export const countsOf = (tally: Tally): Counts => ({
  requests: tally.requests,
  acknowledged: tally.acknowledged,
  unknown: tally.unknown,
  compared: tally.compared,
  wrong: tally.faultCount,
  badGateway: tally.ending('502') + tally.ending('504') + tally.ending('cut'),
  unavailable: tally.ending('503'),
});

export const since = (before: Counts, now: Counts): Counts => ({
  requests: now.requests - before.requests,
  acknowledged: now.acknowledged - before.acknowledged,
  unknown: now.unknown - before.unknown,
  compared: now.compared - before.compared,
  wrong: now.wrong - before.wrong,
  badGateway: now.badGateway - before.badGateway,
  unavailable: now.unavailable - before.unavailable,
});

const HEAD = [
  ...['minute', 'requests', 'acknowledged', 'unknown', 'compared', 'wrong', '502', '503'],
  ...['RSS 1', 'RSS 2', 'what happened'],
];

export function minuteTable(minutes: readonly Minute[]): string {
  const rows = [HEAD, ...minutes.map(cells)];
  const widths = HEAD.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const last = HEAD.length - 1;
  const line = (row: readonly string[]): string =>
    row.map((cell, at) => (at === last ? cell : cell.padStart(widths[at] ?? 0))).join('  ');
  return rows.map(line).join('\n');
}

const cells = (minute: Minute): string[] =>
  [
    ...[minute.minute, minute.requests, minute.acknowledged, minute.unknown, minute.compared],
    ...[minute.wrong, minute.badGateway, minute.unavailable, minute.rss[0], minute.rss[1]],
    minute.events,
  ].map(String);
