import { getMetadataArgsStorage } from 'typeorm';
import type { EntityClass, FieldDeclaration } from './field-declaration';
import { RegistrationError } from './registration-error';

const isNumber = (given: unknown): boolean =>
  (typeof given === 'number' || (typeof given === 'string' && given.trim() !== '')) &&
  Number.isFinite(Number(given));

const isInteger = (given: unknown): boolean => isNumber(given) && Number.isInteger(Number(given));

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The message for an invalid default, and the test for a valid one. PostgreSQL accepts nearly any text for the other
 * types.
 */
const CHECKS: Readonly<Record<string, readonly [string, (given: unknown) => boolean]>> = {
  integer: ['an integer', isInteger],
  bigint: ['an integer', isInteger],
  decimal: ['a number', isNumber],
  double: ['a number', isNumber],
  boolean: ['true or false', (given) => typeof given === 'boolean'],
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
