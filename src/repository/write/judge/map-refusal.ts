import { AppError, SeveralErrors } from '../../../common/errors';
import { ConstraintFault, type Refusal } from './constraint-fault';

/**
 * Changes each error for the caller in what a write throws, also those that are only found after the rollback. Other
 * errors stay as they are.
 */
export function mapRefusal(error: unknown, map: (one: AppError) => AppError): unknown {
  if (error instanceof ConstraintFault) {
    const findRefusal: ConstraintFault['findRefusal'] = async (queries) =>
      mapAll(await error.findRefusal(queries), map);
    // A fault that was judged already stays one.
    const Fault = error.constructor as typeof ConstraintFault;
    return new Fault(findRefusal, error.judge, { cause: error });
  }
  return error instanceof AppError || error instanceof SeveralErrors ? mapAll(error, map) : error;
}

function mapAll(refusal: Refusal, map: (one: AppError) => AppError): Refusal {
  if (refusal instanceof AppError) return map(refusal);
  const [first, ...rest] = refusal.errors;
  return new SeveralErrors([map(first), ...rest.map(map)]);
}
