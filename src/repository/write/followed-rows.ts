import { InvalidPayload } from '../../common/errors';
import type { Statement } from '../compile/statement';
import type { Key } from '../hooks';
import type { Naming } from '../registry/registry';
import { columnOf, type StoredCollection } from '../registry/stored-collection';

/** Rows that one delete takes along or changes, where that is done by the writer. */
const MAX_FOLLOWED = 100_000;

/** Rows of one collection that are deleted. */
export interface Level {
  readonly target: StoredCollection;
  readonly keys: readonly Key[];
}

/** How many rows one delete may still be followed to. */
export class RoomToFollow {
  private left = MAX_FOLLOWED;

  /** For LIMIT: the last one tells that there are too many. */
  get most(): number {
    return this.left + 1;
  }

  /** @throws InvalidPayload where there is no room for so many */
  take(rows: number): void {
    this.left -= rows;
    if (this.left >= 0) return;
    const reason = `more than ${MAX_FOLLOWED} other items would go with these: delete some of those first`;
    throw new InvalidPayload({ reason });
  }
}

/**
 * The rows that name others by a column, in the order of their keys.
 * @param from the holder's `rows` or, with those that were deleted before, its `table`
 */
export function namedBy(
  { holder, key }: Naming,
  { target, keys }: Level,
  statement: Statement,
  from: string,
): string {
  const own = columnOf(holder, holder.key).sql;
  const { cast } = columnOf(target, target.key);
  const named = `t.${key.sql} = ANY(${statement.bind(keys, `${cast}[]`)})`;
  return `SELECT t.${own} AS key FROM ${from} t WHERE ${named} ORDER BY t.${own}`;
}
