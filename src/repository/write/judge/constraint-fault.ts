import { DatabaseError } from 'pg';
import { type Caller, type Decision, isNamed, isStored } from '../../../engine';
import {
  type AppError,
  FailedValidation,
  InvalidForeignKey,
  NotNullViolation,
  RecordNotUnique,
  SeveralErrors,
  ValueOutOfRange,
  ValueTooLong,
} from '../../../common/errors';
import type { Queries } from '../../../database/database';
import type { Values } from '../../write-context';
import type { CollectionRegistry, IncomingKey } from '../../registry/registry';
import { fieldsBeside, type StoredCollection } from '../../registry/stored-collection';
import { constrainedFields, isOf, writtenField } from './constrained-fields';
import { mayName } from './may-name';

/** Throws what the rules say about the write; its queries run after the rollback. */
type Judge = (queries: Queries) => Promise<void>;
/** For writes that were judged before, or that need no judging. */
export const NOTHING_TO_JUDGE: Judge = () => Promise.resolve();
/** The error that the caller gets. */
export type Refusal = AppError | SeveralErrors;

/**
 * The collection that was written, and the decision that allowed it: they determine which fields a refusal may name.
 */
interface RefusedWrite {
  readonly collection: StoredCollection;
  readonly decision: Decision;
  /** Who wrote, and where: rows of other collections may refer to the written ones. */
  readonly caller?: Pick<Caller, 'readable'>;
  readonly registry?: CollectionRegistry;
}

/**
 * A write that the database, or the check of a foreign key, refused. It is reported only if the write was otherwise
 * permitted: `judge` runs after the rollback and throws what the rules say. `findRefusal` is called then too, since a
 * failed transaction accepts no more queries.
 */
export class ConstraintFault extends Error {
  constructor(
    readonly findRefusal: (queries: Queries) => Promise<Refusal>,
    readonly judge: Judge,
    options?: ErrorOptions,
  ) {
    super('The database refused a write', options);
  }
}

/** @returns the error for the caller; `queries` must be outside the transaction that failed */
export async function callerFacingError(
  fault: ConstraintFault,
  queries: Queries,
): Promise<Refusal> {
  await fault.judge(queries);
  return fault.findRefusal(queries);
}

/** Refuses a row whose foreign keys refer to rows that the caller does not see. */
export function refuseUnseen(
  { collection }: RefusedWrite,
  [field]: readonly string[],
  judge: Judge,
): void {
  if (field === undefined) return;
  const error = new InvalidForeignKey({ collection: collection.name, field });
  throw new ConstraintFault(() => Promise.resolve(error), judge);
}

/** Runs a statement; a refusal by the database becomes a fault that is judged after the rollback. */
export async function translateRefusal<T>(
  written: RefusedWrite,
  judge: Judge,
  run: () => Promise<T>,
  inserted?: Values,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!isDatabaseRefusal(error)) throw error;
    const required = inserted && leftOut(error, written, inserted);
    const findRefusal = (queries: Queries): Promise<Refusal> =>
      required ? Promise.resolve(required) : constraintError(error, written, queries);
    throw new ConstraintFault(findRefusal, judge, { cause: error });
  }
}

/** Refuses a row that a trigger of the database silently skipped. */
export function refuseSkipped(judge: Judge): never {
  throw new ConstraintFault(() => Promise.resolve(new FailedValidation({})), judge);
}

/** Data and constraints (classes 22 and 23), a trigger that raises (P0), a generated column, a limit of the index. */
const REFUSED = /^(22...|23...|P0...|428C9|44000|54000)$/;

export const isDatabaseRefusal = (error: unknown): error is DatabaseError =>
  error instanceof DatabaseError && REFUSED.test(error.code ?? '');

/** Whether another row has the same values in a unique index. */
export const isTaken = (error: unknown): boolean =>
  error instanceof ConstraintFault &&
  error.cause instanceof DatabaseError &&
  error.cause.code === '23505';

/** Where the database reports one missing field, all missing required fields are named. */
function leftOut(
  error: DatabaseError,
  written: RefusedWrite,
  inserted: Values,
): Refusal | undefined {
  const { collection } = written;
  const isSent = (name: string): boolean =>
    fieldsBeside(collection, name).some((each) => inserted.has(each));
  const missing = fieldsRequiredByDatabase(collection).filter((name) => !isSent(name));
  const missed =
    error.code === '23502' && isOf(error, collection) && writtenField(error, collection);
  return missing.some((name) => name === missed) ? requiredError(missing, written) : undefined;
}

/** The fields that the database requires and does not fill itself. */
const fieldsRequiredByDatabase = ({ fields }: StoredCollection): string[] =>
  [...fields.values()]
    .filter((field) => isStored(field) && !field.nullable && !field.hasDefault)
    .map(({ name }) => name);

function requiredError(
  missing: readonly string[],
  { decision }: RefusedWrite,
): Refusal | undefined {
  const named = missing.filter((name) => isNamed(decision, name));
  const errors = named.map((name) => new FailedValidation({ field: name, type: 'required' }));
  const [first, ...rest] = [
    ...errors,
    ...(named.length < missing.length ? [new FailedValidation({})] : []),
  ];
  return first && new SeveralErrors([first, ...rest]);
}

/**
 * Refuses a new row without the fields that its collection's hooks require, and names the fields that the database
 * would miss as well.
 * @param required the fields that hooks require
 * @param carries whether the row has a value for a field
 */
export function refuseIncomplete(
  written: RefusedWrite,
  required: readonly string[],
  carries: (field: string) => boolean,
  judge: Judge,
): void {
  if (required.every(carries)) return;
  const all = new Set([...required, ...fieldsRequiredByDatabase(written.collection)]);
  const error = requiredError(
    [...all].filter((field) => !carries(field)),
    written,
  );
  if (error) throw new ConstraintFault(() => Promise.resolve(error), judge);
}

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
