import type { FieldShape, ScalarType } from '../schema/schema';
import { readStoredTime, type StoredTime } from '../schema/stored-time';
import { type Cell, textOf } from '../schema/value';

const CALENDAR = ['year', 'month', 'week', 'day', 'weekday'] as const;
const CLOCK = ['hour', 'minute', 'second'] as const;

export type CalendarFunction = (typeof CALENDAR)[number];
export type ClockFunction = (typeof CLOCK)[number];
export type FunctionName = CalendarFunction | ClockFunction | 'count';

const CALL = /^([a-z]+)\(([^()]+)\)$/;
const NAMES: ReadonlySet<string> = new Set([...CALENDAR, ...CLOCK, 'count']);
const isFunctionName = (name: string): name is FunctionName => NAMES.has(name);

/** Reads `year(published_at)`. @returns undefined where the text is not a call; `fn: null` for an unknown function */
export function parseCall(
  text: string,
): { readonly fn: FunctionName | null; readonly argument: string } | undefined {
  const call = CALL.exec(text);
  if (!call) return undefined;
  const [, name = '', argument = ''] = call;
  return { fn: isFunctionName(name) ? name : null, argument };
}

/** The functions that a field supports. Each gives an integer. */
export function functionsOf(field: FieldShape): readonly FunctionName[] {
  if (field.kind === 'to-many') return ['count'];
  const byType: Partial<Record<ScalarType, readonly FunctionName[]>> = {
    timestamp: [...CALENDAR, ...CLOCK],
    date: CALENDAR,
    time: CLOCK,
    json: ['count'],
    array: ['count'],
  };
  return byType[field.type] ?? [];
}

/**
 * Applies a function to a cell. Times are read in UTC, weeks are ISO weeks, Sunday is weekday 0;
 * `count` is the length of a JSON array and NULL for other JSON.
 */
export function applyFunction(fn: FunctionName, cell: Cell): number | null {
  if (cell === null) return null;
  if (fn === 'count') return Array.isArray(cell) ? cell.length : null;
  const text = textOf(cell);
  if (isClock(fn) && TIME_OF_DAY.test(text)) return clockPart(fn, text);
  const time = readStoredTime(text);
  if (!time) return null;
  return isClock(fn) ? clockPart(fn, time.rest.slice('MM-DD '.length)) : calendarPart(fn, time);
}

const TIME_OF_DAY = /^\d\d:/;

const isClock = (fn: FunctionName): fn is ClockFunction =>
  (CLOCK as readonly string[]).includes(fn);

/** @param clock `HH:MM:SS`, possibly with more behind it */
function clockPart(fn: ClockFunction, clock: string): number {
  const at = { hour: 0, minute: 3, second: 6 }[fn];
  return Number(clock.slice(at, at + 2));
}

function calendarPart(fn: CalendarFunction, time: StoredTime): number {
  switch (fn) {
    case 'year':
      // There is no year 0: the one before the first is -1.
      return time.year > 0 ? time.year : time.year - 1;
    case 'month':
      return time.month;
    case 'day':
      return time.day;
    case 'weekday':
      return dayOf(time).getUTCDay();
    case 'week':
      return isoWeek(dayOf(time));
  }
}

/** The calendar repeats after this many years. A Date cannot hold all the years that PostgreSQL has. */
const CYCLE = 400;

/** The day of the same month and weekday in a year near 2000. */
function dayOf({ year, month, day }: StoredTime): Date {
  const date = new Date(0);
  date.setUTCFullYear(2000 + (((year % CYCLE) + CYCLE) % CYCLE), month - 1, day);
  return date;
}

const DAY = 86_400_000;

/** The ISO week: the one with the date's Thursday, counted from the week with the year's first Thursday. */
function isoWeek(date: Date): number {
  const thursday = new Date(date.getTime() + (4 - (date.getUTCDay() || 7)) * DAY);
  const firstDay = new Date(0);
  firstDay.setUTCFullYear(thursday.getUTCFullYear(), 0, 1);
  return Math.floor((thursday.getTime() - firstDay.getTime()) / DAY / 7) + 1;
}
