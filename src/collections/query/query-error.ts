import { AccessFault } from '../../access';
import { Forbidden, InvalidQuery } from '../../common/errors';

/** Runs what reads a query, and turns its fault into the answer's error. */
export function asQueryError<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof AccessFault)) throw error;
    if (error.kind === 'hidden') throw new Forbidden(error.subject ?? {});
    throw new InvalidQuery({ field: error.path.join('.'), reason: error.reason });
  }
}
