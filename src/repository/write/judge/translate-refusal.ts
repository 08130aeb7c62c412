import { FailedValidation, InvalidForeignKey } from '../../../common/errors';
import type { Queries } from '../../../database/database';
import type { Values } from '../../write-context';
import { constraintError } from './constraint-error';
import {
  ConstraintFault,
  isDatabaseRefusal,
  type Judge,
  type Refusal,
  type RefusedWrite,
} from './constraint-fault';
import { leftOut } from './required-fields';

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

/** Refuses a row that a trigger of the database silently skipped. */
export function refuseSkipped(judge: Judge): never {
  throw new ConstraintFault(() => Promise.resolve(new FailedValidation({})), judge);
}
