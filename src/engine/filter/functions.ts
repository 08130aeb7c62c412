import type { FieldShape, ScalarType } from '../schema/schema';
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
  if (text.includes('infinity')) return null;
  return isClock(fn)
    ? clockPart(fn, text)
    : calendarPart(fn, new Date(`${text.slice(0, 10)}T00:00:00Z`));
}

const isClock = (fn: FunctionName): fn is ClockFunction =>
  (CLOCK as readonly string[]).includes(fn);

function clockPart(fn: ClockFunction, text: string): number {
  const time = text.includes('T') ? text.slice(11) : text;
  const at = { hour: 0, minute: 3, second: 6 }[fn];
  return Number(time.slice(at, at + 2));
}

function calendarPart(fn: CalendarFunction, date: Date): number {
  switch (fn) {
    case 'year':
      return date.getUTCFullYear();
    case 'month':
      return date.getUTCMonth() + 1;
    case 'day':
      return date.getUTCDate();
    case 'weekday':
      return date.getUTCDay();
    case 'week':
      return isoWeek(date);
  }
}

const DAY = 86_400_000;

/** The week that holds the date's Thursday, counted from the week of the year's first Thursday. */
function isoWeek(date: Date): number {
  const thursday = new Date(date.getTime() + (4 - (date.getUTCDay() || 7)) * DAY);
  const firstDay = new Date(0);
  firstDay.setUTCFullYear(thursday.getUTCFullYear(), 0, 1);
  return Math.floor((thursday.getTime() - firstDay.getTime()) / DAY / 7) + 1;
}
