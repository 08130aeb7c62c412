import { AccessFault, type FieldLookup } from '../../engine';
import { Forbidden, InvalidQuery } from '../../common/errors';

/**
 * Runs what reads a query, and turns its fault into the answer's error.
 * @param named what the caller may name: a collection that they read nothing of is not told by name, though a field led
 * there
 */
export function asQueryError<T>(named: FieldLookup, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof AccessFault)) throw error;
    if (error.kind === 'malformed')
      throw new InvalidQuery({ field: error.path.join('.'), reason: error.reason });
    const { collection, field } = error.subject ?? {};
    throw new Forbidden({
      ...(collection !== undefined && named.key(collection) !== undefined && { collection }),
      ...(field !== undefined && { field }),
    });
  }
}
