import type { DatabaseError } from 'pg';
import { type Caller, isNamed } from '../../../engine';
import {
  type AppError,
  FailedValidation,
  InvalidForeignKey,
  NotNullViolation,
  RecordNotUnique,
  ValueOutOfRange,
  ValueTooLong,
} from '../../../common/errors';
import type { Queries } from '../../../database/database';
import type { IncomingKey } from '../../registry/registry';
import { constrainedFields, isOf } from './constrained-fields';
import type { RefusedWrite } from './constraint-fault';
import { mayName } from './may-name';

/** The error for a refusal of the database, with the fields it concerns, where the caller may name all of them. */
export async function constraintError(
  error: DatabaseError,
  written: RefusedWrite | undefined,
  queries: Queries,
): Promise<AppError> {
  if (written && isByReferrer(error, written)) return referrerError(error, written, queries);
  const fields = written ? await namedFields(error, written, queries) : [];
  return errorAbout(fields, written?.collection.name, error);
}

/** Whether rows of another table refer to those that were to be deleted. */
const isByReferrer = (error: DatabaseError, { collection, decision }: RefusedWrite): boolean =>
  (error.code === '23001' || error.code === '23503') &&
  decision.action === 'delete' &&
  error.table !== undefined &&
  !isOf(error, collection);

/** Names the referring collection and its field only to a caller who may read both. */
async function referrerError(
  error: DatabaseError,
  { registry, caller }: RefusedWrite,
  queries: Queries,
): Promise<AppError> {
  const named = [...(registry?.all() ?? [])].flatMap(({ name }) => registry?.get(name) ?? []);
  const referrer = named.find((each) => isOf(error, each));
  if (!referrer || !caller) return errorAbout([], undefined, error);
  const fields = await constrainedFields(error, referrer, queries);
  const { name } = referrer;
  return mayName(name, fields, caller)
    ? errorAbout(fields, name, error)
    : errorAbout([], undefined, error);
}

/** The error for a delete that a row of `holder` prevents: the same as where the database refuses it. */
export function heldByReferrer(
  { holder, key }: IncomingKey,
  caller: Pick<Caller, 'readable'>,
  options?: ErrorOptions,
): AppError {
  const { name } = holder;
  const fields = key.field === undefined ? [] : [key.field];
  const place = mayName(name, fields, caller) ? { collection: name, field: key.field } : {};
  return new InvalidForeignKey(place, options);
}

function errorAbout(
  fields: readonly string[],
  collection: string | undefined,
  error: DatabaseError,
): AppError {
  const [field] = fields.length === 1 ? fields : [];
  const place = {
    ...(collection !== undefined && { collection }),
    ...(field !== undefined && { field }),
  };
  const options = { cause: error };
  const failed = (type: 'check' | 'generated'): AppError =>
    new FailedValidation({ ...(field !== undefined && { field, type }) }, options);
  switch (error.code) {
    case '23505':
      return new RecordNotUnique(fields.length > 1 ? { ...place, fields } : place, options);
    case '23001':
    case '23503':
      return new InvalidForeignKey(place, options);
    case '23502':
      return new NotNullViolation(place, options);
    case '22001':
    case '54000':
      return new ValueTooLong(place, options);
    case '22003':
    case '22008':
      return new ValueOutOfRange(place, options);
    case '23514':
      return failed('check');
    case '428C9':
      return failed('generated');
    default:
      return new FailedValidation({}, options);
  }
}

/** All of the fields or none: naming a part would be misleading. */
async function namedFields(
  error: DatabaseError,
  { collection, decision }: RefusedWrite,
  queries: Queries,
): Promise<readonly string[]> {
  const fields = await constrainedFields(error, collection, queries);
  return fields.every((field) => isNamed(decision, field)) ? fields : [];
}
