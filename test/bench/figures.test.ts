import { type Figures, figuresOf, median, type Round, type Turn } from './figures';
import type { Line } from './line';
import { table } from './table';

const turn = (perSecond: number, more: Partial<Turn> = {}): Turn => ({
  ...{ perSecond, p50: 2, p99: 9, cpu: 100 },
  ...more,
});

const round = (floor: number, service: number): Round => ({
  floor: turn(floor),
  service: turn(service),
});

const line = (name: string, more: Partial<Line> = {}): Line => ({
  ...{ name, work: `GET /${name}`, data: '–', target: 0.4 },
  setup: () => Promise.resolve(),
  requests: () => Promise.resolve([]),
  ...more,
});

const figures = (of: Line, rounds: Round[], others: Figures[] = []): Figures =>
  figuresOf(of, rounds, 120, others);

describe('the figures of a line', () => {
  it('compare each turn with the floor of the same round, and use the median round', () => {
    const { ratio, spread } = figures(line('list'), [
      round(1000, 500),
      round(200, 120),
      round(4000, 1200),
    ]);
    expect(ratio).toBe(0.5);
    expect(spread).toEqual([0.3, 0.6]);
  });

  it('show the median rate, latency and cost, and the worst tail', () => {
    const service = [turn(10, { p99: 30 }), turn(30, { p99: 8, cpu: 80 }), turn(20, { p99: 9 })];
    const rounds = service.map((each) => ({ floor: turn(40), service: each }));
    expect(figures(line('list'), rounds).service).toEqual({
      ...{ perSecond: 20, p50: 2, p99: 30, cpu: 100 },
    });
  });

  it.each([
    [399, false],
    [400, true],
    [900, true],
  ])('meet a target of 0.4 of 1,000 with %d: %s', (perSecond, met) => {
    expect(figures(line('list'), [round(1000, perSecond)]).met).toBe(met);
  });

  it.each([
    [500, 1, true],
    [420, 500 / 420, true],
    [410, 500 / 410, false],
  ])(
    'with %d requests a second, where a smaller system had 500, have grown %d times',
    (perSecond, times, met) => {
      const small = figures(line('small'), [round(1000, 500)]);
      const large = line('large', { growth: { from: 'small', most: 1.2 } });
      const grown = figures(large, [round(1000, perSecond)], [small]);
      expect(grown.growth?.times).toBeCloseTo(times);
      expect(grown.met).toBe(met);
    },
  );

  it.each([
    [{ cpu: 100, database: 50 }, { cpu: 60, database: 40 }, 1.5, true],
    [{ cpu: 100, database: 50 }, { cpu: 50, database: 40 }, 150 / 90, false],
    [{ cpu: 150 }, { cpu: 100 }, 1.5, true],
  ])(
    'of %j compared with %j, including the database, are %d times: %s',
    (own, other, times, met) => {
      const beside = line('list', { beside: { peer: 'by-hand', most: 1.5 } });
      const rounds = [{ floor: turn(40), service: turn(30, own), peer: turn(50, other) }];
      const found = figures(beside, rounds);
      expect(found.beside?.times).toBeCloseTo(times);
      expect(found.met).toBe(met);
    },
  );

  it('do not include the database for a peer without one', () => {
    const beside = line('list', { beside: { peer: 'apollo', most: 1.15 }, target: undefined });
    const service = turn(30, { cpu: 110, database: 500 });
    const rounds = [{ floor: turn(40), service, peer: turn(50, { cpu: 100, database: 0 }) }];
    expect(figures(beside, rounds)).toMatchObject({ beside: { times: 1.1 }, met: true });
  });

  it('do not include growth if the line to compare with was left out', () => {
    const large = line('large', { growth: { from: 'small', most: 1.2 } });
    expect(figures(large, [round(1000, 500)]).growth).toBeUndefined();
  });
});

describe('the median', () => {
  it.each([
    [[3], 3],
    [[5, 1, 3], 3],
    [[10, 9, 2, 1], 5.5],
  ])('of %j is %d', (numbers, middle) => {
    expect(median(numbers)).toBe(middle);
  });
});

describe('the table', () => {
  it('has a row for each line, and shows which miss their target', () => {
    const rows = table([
      figures(line('one'), [round(1000, 500)]),
      figures(line('two'), [round(1000, 100)]),
    ]).split('\n');
    expect(rows).toHaveLength(3);
    expect(rows[1]).toMatch(/^GET \/one .* 0\.500 .* met$/);
    expect(rows[2]).toMatch(/^GET \/two .* 0\.100 .* MISSED$/);
  });

  it('shows the cost of a peer, with the database in brackets', () => {
    const service = turn(30, { cpu: 120, database: 30 });
    const rounds = [{ floor: turn(40), service, peer: turn(50, { cpu: 60, database: 40 }) }];
    const of = line('list', { beside: { peer: 'by-hand', most: 2 } });
    expect(table([figures(of, rounds)])).toMatch(
      / 120 \(30\) .* by-hand 60 \(40\) +1\.50 ≤ 2 \(1\.50–1\.50\) /,
    );
  });
});
