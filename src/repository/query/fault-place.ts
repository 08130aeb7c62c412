import { AccessFault, malformed } from '../../engine';
import type { FieldSelection } from './field-selection';

/** Faults in these name a field by its whole path: `fields.notes`. */
const OF_FIELDS = ['fields', 'alias'];

/**
 * Reads what is asked of a relation's rows. A fault in it is named as the client wrote it, since the list itself has
 * the same parameters: `deep.notes._limit`, or in GraphQL, by the argument, `notes.limit`.
 * @param as the name that the relation is shown under
 */
export function readBelow<T>(as: string, relation: FieldSelection, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof AccessFault) || error.kind !== 'malformed') throw error;
    throw malformed(placeOf(as, relation, error.path), error.reason);
  }
}

/** @param path from the relation on: `limit`, or for a relation below it the result of this function for that one */
function placeOf(
  as: string,
  { written }: FieldSelection,
  path: readonly string[],
): readonly string[] {
  const [first = '', ...rest] = path;
  if (OF_FIELDS.includes(first)) return path;
  if (written !== undefined) return [written, ...path];
  return first === 'deep' ? ['deep', as, ...rest] : ['deep', as, `_${first}`, ...rest];
}
