import type { Figures } from './figures';

const HEAD = [
  'work',
  'data',
  'service/s',
  'floor/s',
  'ratio',
  'rounds',
  'target',
  'growth',
  'p50 ms',
  'p99 ms',
  'CPU µs',
  'floor µs',
  'RSS MB',
  '',
];

/** Words to the left, numbers to the right. */
const WORDS = 2;

export function table(all: readonly Figures[]): string {
  const rows = [HEAD, ...all.map(cells)];
  const widths = HEAD.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, at) =>
          at < WORDS ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0),
        )
        .join('  '),
    )
    .join('\n');
}

const cells = (line: Figures): string[] => [
  line.work,
  line.data,
  whole(line.service.perSecond),
  whole(line.floor.perSecond),
  line.ratio.toFixed(3),
  line.spread.map((ratio) => ratio.toFixed(2)).join('–'),
  String(line.target ?? '–'),
  line.growth ? `${line.growth.times.toFixed(2)} ≤ ${line.growth.most}` : '',
  whole(line.service.p50),
  whole(line.service.p99),
  whole(line.service.cpu),
  whole(line.floor.cpu),
  whole(line.rss),
  line.met ? 'met' : 'MISSED',
];

const whole = (number: number): string => Math.round(number).toLocaleString('en');
