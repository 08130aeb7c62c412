import type { DatabaseError } from 'pg';
import { isNamed, isStored } from '../../../engine';
import { FailedValidation, SeveralErrors } from '../../../common/errors';
import type { Values } from '../../write-context';
import { fieldsBeside, type StoredCollection } from '../../registry/stored-collection';
import { isOf, writtenField } from './constrained-fields';
import { ConstraintFault, type Judge, type Refusal, type RefusedWrite } from './constraint-fault';

/** Where the database reports one missing field, all missing required fields are named. */
export function leftOut(
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
