import { beginningOf } from '../../../common/text-beginning';
import { type Cell, type ColumnShape, storedDecimal, textOf } from '../../../engine';
import { CONCEALED } from '../../compile/compile-cell';
import { presentCell } from '../../registry/decode';
import { columnOf, type StoredCollection } from '../../registry/stored-collection';

/** One value as the log stores it. */
export interface LoggedValue {
  readonly value: unknown;
  /** Whether `value` is only the beginning. */
  readonly cut: boolean;
}

/**
 * A value that is about to be stored, as the log stores it.
 * @param length how many characters to store at most
 */
export function loggedCell(
  collection: StoredCollection,
  name: string,
  cell: Cell,
  length: number,
): LoggedValue {
  if (cell === null) return { value: null, cut: false };
  const field = collection.fields.get(name);
  if (field?.concealed !== false) return { value: CONCEALED, cut: false };
  const { scale }: Partial<ColumnShape> = field.kind === 'column' ? field : {};
  const stored = scale === undefined ? cell : storedDecimal(textOf(cell), scale);
  const value = presentCell(columnOf(collection, name), stored);
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length <= length
    ? { value, cut: false }
    : { value: beginningOf(text, length), cut: true };
}
