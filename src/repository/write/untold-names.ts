import type { Caller } from '../../engine';
import { AppError, SeveralErrors } from '../../common/errors';
import type { ErrorClass } from '../../common/errors/define-error';
import { ConstraintFault, type Refusal } from './constraint-fault';

/**
 * What stands in the way of a write by the system, for whoever's request led to it: the code, and more only where they
 * may read what it speaks of. What is left out is the cause.
 * @param collection that was written
 */
export function withoutNames(error: unknown, asker: Caller, collection: string): unknown {
  if (asker.administrator) return error;
  const hidden = (told: AppError): AppError => hideNames(told, asker, collection);
  const hideAll = (told: Refusal): Refusal => {
    if (told instanceof AppError) return hidden(told);
    const [first, ...rest] = told.errors;
    return new SeveralErrors([hidden(first), ...rest.map(hidden)]);
  };
  if (error instanceof ConstraintFault) {
    const tell: ConstraintFault['tell'] = async (queries) => hideAll(await error.tell(queries));
    return new ConstraintFault(tell, error.judge, { cause: error });
  }
  return error instanceof AppError || error instanceof SeveralErrors ? hideAll(error) : error;
}

interface Names {
  readonly collection?: string;
  readonly field?: string;
  readonly fields?: readonly string[];
}

function hideNames(error: AppError, { readable }: Caller, written: string): AppError {
  const { collection = written, field, fields = [] }: Names = error.details;
  const named = field === undefined ? fields : [field, ...fields];
  const isKnown =
    readable.key(collection) !== undefined &&
    named.every((name) => readable.field(collection, name) !== undefined);
  if (isKnown) return error;
  return new (error.constructor as ErrorClass<object>)({}, { cause: error });
}
