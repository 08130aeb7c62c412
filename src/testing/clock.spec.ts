import { Clock } from './clock';

const real = Date;
const clock = new Clock(true);

afterEach(() => clock.reset());

const DAY = 86_400_000;

describe('the clock of a test', () => {
  it('continues from the time to which it was set', () => {
    clock.set('2031-01-01T00:00:00Z');
    const seen = [Date.now(), new Date().getTime(), clock.now().getTime()];
    for (const time of seen) expect(new real(time).toISOString()).toMatch(/^2031-01-01T00:00:0/);
    expect(Date()).toMatch(/20(30|31)/);
  });

  it.each([
    ['90s', 90_000],
    ['15m', 900_000],
    ['2h', 7_200_000],
    ['30d', 30 * DAY],
    ['-1d', -DAY],
    [5_000, 5_000],
  ])('is moved by %s', (span, by) => {
    const before = real.now();
    clock.advance(span);
    const moved = Date.now() - by;
    expect(moved).toBeGreaterThanOrEqual(before);
    expect(moved).toBeLessThanOrEqual(real.now());
  });

  it('adds moves up, and is correct again once reset', () => {
    clock.advance('1d');
    clock.advance('1d');
    expect(Date.now()).toBeGreaterThanOrEqual(real.now() + 2 * DAY - 1_000);
    clock.reset();
    expect(Date).toBe(real);
    expect(Date.now()).toBeLessThanOrEqual(real.now());
  });

  it('reports when it goes back, and only then', () => {
    const told: string[] = [];
    const telling = new Clock(true, () => told.push(new Date().toISOString().slice(0, 4)));
    telling.set('2031-01-01T00:00:00Z');
    telling.advance('800d');
    expect(told).toEqual([]);
    telling.set('2031-06-01T00:00:00Z');
    telling.reset();
    telling.reset();
    expect(told).toEqual(['2031', String(new real().getFullYear())]);
  });

  it('does not change explicit dates', () => {
    clock.advance('1d');
    const date = new Date('2024-02-29');
    expect([date instanceof Date, date instanceof real, new real() instanceof Date]).toEqual([
      true,
      true,
      true,
    ]);
    expect([date.toISOString(), Date.UTC(2024, 1, 29)]).toEqual([
      '2024-02-29T00:00:00.000Z',
      date.getTime(),
    ]);
    class Later extends Date {}
    expect(new Later()).toBeInstanceOf(Later);
  });

  it.each(['', 'tomorrow', '1.5h', '15', '1w'])('refuses any other span: %j', (span) => {
    expect(() => clock.advance(span)).toThrow('is not a span of time such as 90s, 15m, 2h or 30d');
  });

  it('refuses any other moment', () => {
    expect(() => clock.set('soon')).toThrow('soon is not a point in time');
    expect(Date).toBe(real);
  });

  it('cannot be moved if the database has its own clock', () => {
    expect(() => new Clock(false).advance('1d')).toThrow(
      'The clock can be moved only on the embedded database: PostgreSQL has its own.',
    );
    expect(Date).toBe(real);
  });
});
