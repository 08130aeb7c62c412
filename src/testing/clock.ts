import { UNITS } from '../config/env-reader';

const RealDate = Date;
let ahead = 0;

const now = (): number => RealDate.now() + ahead;

/** `Date`, except that its present is the time of the clock. */
const MovedDate = new Proxy(RealDate, {
  construct: (target, args: unknown[], called) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, called) as object,
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : (Reflect.get(target, name, target) as unknown)),
});

/**
 * The time of this process, which a test may move: that of `Date`, and of `now()` on the embedded database, which runs
 * in this process. So tokens, sessions and limited access expire, and `$NOW` in rules and columns that the database
 * fills follow. The time continues from where it was moved to. Timers are not moved: a job that runs every hour does
 * not run because of it. A test application on PostgreSQL cannot move its clock.
 *
 *     app.clock.advance('15m');
 *     app.clock.set('2031-01-01T00:00:00Z');
 */
export class Clock {
  /**
   * @param movable false where the database runs in another process, which has its own time
   * @param onBack called when the time was moved back, for anything that waits for a time which is now far away
   */
  constructor(
    private readonly movable: boolean,
    private readonly onBack: () => void = () => undefined,
  ) {}

  /** The current time of this clock. */
  now(): Date {
    return new RealDate(now());
  }

  /**
   * Moves the time by a span.
   * @param span such as `90s`, `15m`, `2h`, `30d`, or a number of milliseconds; a negative one moves it back
   * @throws Error where the span cannot be read, or the database is PostgreSQL
   */
  advance(span: string | number): void {
    this.move(ahead + millisecondsOf(span));
  }

  /**
   * Moves the time to a point in time.
   * @param moment a `Date`, or a text that `Date` reads
   * @throws Error where it cannot be read, or the database is PostgreSQL
   */
  set(moment: Date | string): void {
    const time = new RealDate(moment).getTime();
    if (Number.isNaN(time)) throw new Error(`${String(moment)} is not a point in time`);
    this.move(time - RealDate.now());
  }

  /** Moves the time back to the real one; closing the application does it too. */
  reset(): void {
    const isBack = ahead > 0;
    ahead = 0;
    if (globalThis.Date === MovedDate) globalThis.Date = RealDate;
    if (isBack) this.onBack();
  }

  private move(by: number): void {
    if (!this.movable) {
      throw new Error(
        'The clock can be moved only on the embedded database: PostgreSQL has its own.',
      );
    }
    const isBack = by < ahead;
    ahead = by;
    globalThis.Date = MovedDate;
    if (isBack) this.onBack();
  }
}

function millisecondsOf(span: string | number): number {
  if (typeof span === 'number') return span;
  const [, count, unit = ''] = /^(-?\d{1,12})(ms|s|m|h|d)$/.exec(span) ?? [];
  if (count === undefined)
    throw new Error(`${span} is not a span of time such as 90s, 15m, 2h or 30d`);
  return Number(count) * (UNITS[unit] ?? 1);
}
