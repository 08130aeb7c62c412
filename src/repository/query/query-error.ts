import { AccessFault, type FieldLookup } from '../../engine';
import { Forbidden, InvalidQuery } from '../../common/errors';

/**
 * Runs a parser of queries, and turns its fault into the answer's error.
 * @param named what the caller may name: the error does not name a collection that they cannot read, even where a field
 * led to it
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
