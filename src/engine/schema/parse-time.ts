const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
/** Accepts up to nine digits of a second; everything finer than a millisecond is cut off. */
const CLOCK = String.raw`([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d{1,9}))?)?`;
const TIME = new RegExp(`^${CLOCK}$`);
const TIMESTAMP = new RegExp(
  String.raw`^(\d{4}-\d{2}-\d{2})(?:[Tt]${CLOCK}([Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)?)?$`,
);
const MINUTE = 60_000;

/** @returns the date `YYYY-MM-DD`, years 1 to 9999, if the calendar has it */
export function parseDate(raw: unknown): { value: string } | undefined {
  return typeof raw === 'string' && midnight(raw) !== undefined ? { value: raw } : undefined;
}

/** @returns the time of day, `HH:MM` or finer, as `HH:MM:SS.mmm` */
export function parseTime(raw: unknown): { value: string } | undefined {
  const parts = typeof raw === 'string' ? TIME.exec(raw) : null;
  if (!parts) return undefined;
  const [, hour, minute, second = '00', fraction = ''] = parts;
  return { value: `${hour}:${minute}:${second}.${milliseconds(fraction)}` };
}

/** The last second of a day, and of all moments. */
const LAST = /^(?:9999-12-31T)?23:59:59\.(\d{3})Z?$/;

/**
 * Whether a column rounds the time to 24:00:00, or the moment to the year 10000, which PostgreSQL stores and RFC 3339
 * lacks: nobody could send it back.
 * @param time as `parseTime` or `parseTimestamp` returns it
 * @param digits how many digits of a second the column has
 */
export function roundsBeyondLast(time: string, digits: number): boolean {
  if (digits >= 3) return false;
  const [, milliseconds] = LAST.exec(time) ?? [];
  return milliseconds !== undefined && Number(milliseconds) + 10 ** (3 - digits) / 2 >= 1000;
}

const milliseconds = (fraction: string): string => fraction.slice(0, 3).padEnd(3, '0');

/**
 * Reads an RFC 3339 timestamp. These parts may be missing: the offset (UTC), the seconds, or the whole time of day
 * (midnight).
 * @returns the instant in UTC with milliseconds, years 1 to 9999
 */
export function parseTimestamp(raw: unknown): { value: string } | undefined {
  const parts = typeof raw === 'string' ? TIMESTAMP.exec(raw) : null;
  const day = parts ? midnight(parts[1] ?? '') : undefined;
  if (!parts || day === undefined) return undefined;
  const [, , hour = '0', minute = '0', second = '0', fraction = '', offset = 'Z'] = parts;
  const local = day + Number(hour) * 60 * MINUTE + Number(minute) * MINUTE + Number(second) * 1000;
  return formatInstant(local + Number(milliseconds(fraction)) - offsetMinutes(offset) * MINUTE);
}

/** @returns the instant (milliseconds since 1970) as a canonical timestamp, or nothing outside years 1 to 9999 */
export function formatInstant(instant: number): { value: string } | undefined {
  const date = new Date(instant);
  const year = date.getUTCFullYear();
  return year >= 1 && year <= 9999 ? { value: date.toISOString() } : undefined;
}

function midnight(text: string): number | undefined {
  const parts = DATE.exec(text);
  if (!parts) return undefined;
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  // Date.UTC reads the years 0 to 99 as 1900 and on.
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return year >= 1 && exists ? date.getTime() : undefined;
}

function offsetMinutes(offset: string): number {
  if (offset === 'Z' || offset === 'z') return 0;
  const [hours = '0', minutes = '0'] = offset.slice(1).split(':');
  const total = Number(hours) * 60 + Number(minutes);
  return offset.startsWith('-') ? -total : total;
}
