import type { BesideFigures, Figures, Turn } from './figures';

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
  'CPU µs (database)',
  'floor',
  'beside',
  'times',
  'RSS MB',
  '',
];

/** Text is aligned to the left, numbers to the right. */
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
  cost(line.service),
  cost(line.floor),
  ...besideCells(line.beside),
  whole(line.rss),
  line.met ? 'met' : 'MISSED',
];

function besideCells(beside: BesideFigures | undefined): [string, string] {
  if (!beside) return ['', ''];
  const { peer, turn, times, spread, most } = beside;
  const between = spread.map((each) => each.toFixed(2)).join('–');
  return [`${peer} ${cost(turn)}`, `${times.toFixed(2)} ≤ ${most} (${between})`];
}

const cost = ({ cpu, database }: Turn): string =>
  database === undefined ? whole(cpu) : `${whole(cpu)} (${whole(database)})`;

const whole = (number: number): string => Math.round(number).toLocaleString('en');
