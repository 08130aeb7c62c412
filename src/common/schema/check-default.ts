import { getMetadataArgsStorage } from 'typeorm';
import type { EntityClass, FieldDeclaration } from './field-declaration';
import { RegistrationError } from './registration-error';

const isNumber = (given: unknown): boolean =>
  (typeof given === 'number' || (typeof given === 'string' && given.trim() !== '')) &&
  Number.isFinite(Number(given));

const isInteger = (given: unknown): boolean => isNumber(given) && Number.isInteger(Number(given));

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The beginning of a text that is written like a day, and like a time of the day. */
const DAY = /^\d{4}-\d{2}-\d{2}/;
const CLOCK = /^(\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?$/;

/** PostgreSQL also reads words, such as `infinity`, and other notations: those are left to it. */
function isDay(given: unknown): boolean {
  const [day] = typeof given === 'string' ? (DAY.exec(given) ?? []) : [];
  if (day === undefined) return true;
  // `Date` reads the 30th of February as the 2nd of March.
  const read = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(read.getTime()) && read.toISOString().startsWith(day);
}

function isClock(given: unknown): boolean {
  const parts = typeof given === 'string' ? CLOCK.exec(given) : null;
  if (!parts) return true;
  const [, hours, minutes, seconds = 0] = parts;
  const [hour, minute, second] = [Number(hours), Number(minutes), Number(seconds)];
  // As PostgreSQL reads them: the end of the day, and a leap second.
  if (hour === 24) return minute === 0 && second === 0;
  return hour < 24 && minute < 60 && second <= 60;
}

/** The message for an invalid default, and the test for a valid one. PostgreSQL accepts nearly any text for the other types. */
const CHECKS: Readonly<Record<string, readonly [string, (given: unknown) => boolean]>> = {
  integer: ['an integer', isInteger],
  bigint: ['an integer', isInteger],
  decimal: ['a number', isNumber],
  double: ['a number', isNumber],
  boolean: ['true or false', (given) => typeof given === 'boolean'],
  date: ['a day of the calendar (YYYY-MM-DD)', isDay],
  time: ['a time of the day (HH:MM:SS)', isClock],
  timestamp: ['a moment of the calendar (RFC 3339)', isDay],
  uuid: ['a UUID', (given) => typeof given === 'string' && UUID.test(given)],
};

/** @throws RegistrationError where a column's default is not a value of its type */
export function checkDefault(
  entity: EntityClass,
  field: string,
  declaration: FieldDeclaration,
): void {
  if (declaration.kind !== 'column') return;
  const check = CHECKS[declaration.element ?? declaration.type];
  const given = defaultOf(entity, field);
  if (!check || given === undefined || given === null || typeof given === 'function') return;
  const [what, isValid] = check;
  const invalid = [given].flat().find((each) => !isValid(each));
  if (invalid === undefined) return;
  throw new RegistrationError(
    `${entity.name}.${field} has the default ${JSON.stringify(invalid)}, which is not ${what}.`,
  );
}

/** A literal, or a function that returns SQL, which only the database can check. */
export const defaultOf = (entity: EntityClass, field: string): unknown =>
  getMetadataArgsStorage().columns.find(
    ({ target, propertyName }) =>
      propertyName === field &&
      (target === entity || (typeof target === 'function' && entity.prototype instanceof target)),
  )?.options.default;
