/** A date or a moment as it is stored, by its parts. Years before the first are 0 and negative: 0 is 1 BC. */
export interface StoredTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  /** Everything behind the year, in the order of time. */
  readonly rest: string;
}

const USUAL = /^\d{4}-\d\d-\d\d(?:T|$)/;
const STORED = /^(\d{4,})-((\d\d)-(\d\d)(?:[T ][\d:.]+Z?)?)(?:\+\d\d)?( BC)?$/;

/** Whether it is of the years 1 to 9999, so that text has the order of time. */
const isUsual = (text: string): boolean => USUAL.test(text) && !text.endsWith('BC');

/**
 * Reads a date or a moment as the database writes it, of any year. Other programs can store years that no request sends.
 * `0044-03-15 12:30:00+00 BC` → year -43
 * @returns undefined for `infinity` and `-infinity`, which have no parts
 */
export function readStoredTime(text: string): StoredTime | undefined {
  const parts = STORED.exec(text);
  if (!parts) return undefined;
  const [, year, rest = '', month, day, before] = parts;
  return {
    year: before === undefined ? Number(year) : 1 - Number(year),
    month: Number(month),
    day: Number(day),
    rest,
  };
}

/** Orders two dates, or two moments: negative, zero or positive. `-infinity` is before all, `infinity` after. */
export function compareTimes(left: string, right: string): number {
  if (isUsual(left) && isUsual(right)) return compareTexts(left, right);
  const [one, other] = [readStoredTime(left), readStoredTime(right)];
  if (!one || !other) return endOf(left, one) - endOf(right, other);
  return one.year - other.year || compareTexts(one.rest, other.rest);
}

const endOf = (text: string, time: StoredTime | undefined): number =>
  time ? 0 : text.startsWith('-') ? -1 : 1;

const compareTexts = (left: string, right: string): number =>
  left < right ? -1 : Number(left > right);
