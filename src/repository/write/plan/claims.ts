import { type AppError, InvalidPayload } from '../../../common/errors';
import type { Key } from '../../write-context';
import type { StoredCollection } from '../../registry/stored-collection';

/** What a request does to which rows: it may write each row once, and leave it in one list or move it to another. */
export class Claims {
  private readonly written = new Set<string>();
  private readonly kept = new Set<string>();
  private readonly joined = new Set<string>();

  /** @throws InvalidPayload where the request already writes one of the rows */
  write(collection: StoredCollection, keys: readonly Key[]): void {
    for (const key of keys) {
      const row = `${collection.name} ${key}`;
      if (this.written.has(row)) throw namedTwice(collection);
      this.written.add(row);
    }
  }

  /**
   * Rows that a list names and that are in it, which are not written.
   * @throws InvalidPayload where the request moves one of them to another list
   */
  keep(collection: StoredCollection, keys: readonly Key[], foreignKey: string): void {
    note(collection, keys, foreignKey, this.kept, this.joined);
  }

  /** @throws InvalidPayload where another list keeps one of the rows */
  join(collection: StoredCollection, keys: readonly Key[], foreignKey: string): void {
    note(collection, keys, foreignKey, this.joined, this.kept);
  }
}

function note(
  collection: StoredCollection,
  keys: readonly Key[],
  foreignKey: string,
  to: Set<string>,
  others: ReadonlySet<string>,
): void {
  for (const key of keys) {
    const member = `${collection.name} ${foreignKey} ${key}`;
    if (others.has(member)) throw namedTwice(collection);
    to.add(member);
  }
}

export const namedTwice = ({ key }: StoredCollection): AppError =>
  new InvalidPayload({ field: key, reason: 'names the same item twice' });
