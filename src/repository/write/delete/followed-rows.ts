import { InvalidPayload } from '../../../common/errors';
import type { Statement } from '../../compile/statement';
import type { Key } from '../../write-context';
import type { IncomingKey } from '../../registry/registry';
import { columnOf, type StoredCollection } from '../../registry/stored-collection';

/** How many rows one delete may delete or change where the writer follows the references, and not the database. */
const MAX_FOLLOWED = 100_000;

/** Rows of one collection that are deleted. */
export interface Level {
  readonly target: StoredCollection;
  readonly keys: readonly Key[];
}

/** The rows that one delete may still reach. */
export class FollowBudget {
  private left = MAX_FOLLOWED;

  /** For LIMIT: one more than allowed shows that there are too many. */
  get limit(): number {
    return this.left + 1;
  }

  /** @throws InvalidPayload where there is no room for so many */
  take(rows: number): void {
    this.left -= rows;
    if (this.left >= 0) return;
    const reason = `more than ${MAX_FOLLOWED} other items would be deleted or changed along with these: delete some of those first`;
    throw new InvalidPayload({ reason });
  }
}

/**
 * The rows that refer to others through a column, in the order of their keys.
 * @param from the holder's `rows` or, with those that were deleted before, its `table`
 */
export function referringRows(
  { holder, key }: IncomingKey,
  { target, keys }: Level,
  statement: Statement,
  from: string,
): string {
  const own = columnOf(holder, holder.key).sql;
  const { cast } = columnOf(target, target.key);
  const named = `t.${key.sql} = ANY(${statement.bind(keys, `${cast}[]`)})`;
  return `SELECT t.${own} AS key FROM ${from} t WHERE ${named} ORDER BY t.${own}`;
}
