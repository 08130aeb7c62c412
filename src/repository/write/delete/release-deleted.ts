import { isStored } from '../../../engine';
import { Statement } from '../../compile/statement';
import type { Key } from '../../write-context';
import type { CollectionRegistry, IncomingKey } from '../../registry/registry';
import { columnOf, type StoredCollection } from '../../registry/stored-collection';
import type { CollectionWrite } from '../collection-write';
import { heldByReferrer } from '../judge/constraint-error';
import { isDatabaseRefusal } from '../judge/constraint-fault';
import { type Level, referringRows, FollowBudget } from './followed-rows';

/** Call before rows are deleted. @param keys of these rows */
export async function releaseFromDeleted(
  scope: CollectionWrite,
  keys: readonly Key[],
): Promise<void> {
  const { collection } = scope;
  if (collection.deletedAt !== undefined) return;
  await new DeletedHolders(scope).release({ target: collection, keys });
}

/**
 * The database's foreign keys also apply to rows marked as deleted. Where such a row could be restored without the rows
 * it refers to, the reference is cleared before those are really deleted; otherwise they stay as long as it does.
 */
export class DeletedHolders {
  private readonly budget = new FollowBudget();
  /** References may form a circle. */
  private readonly known = new Set<string>();

  constructor(private readonly scope: CollectionWrite) {}

  /** @param level rows that are about to be really deleted; rows that the database deletes with them are followed */
  async release(level: Level): Promise<void> {
    this.found(level);
    for (const incoming of this.scope.registry.keysTo(level.target)) {
      if (mayClear(incoming)) await this.clear(incoming, level);
      if (incoming.key.onDelete === 'CASCADE') await this.releaseBelow(incoming, level);
    }
  }

  /** The same for the rows that will be deleted because they refer to others. */
  async releaseBelow(incoming: IncomingKey, level: Level): Promise<void> {
    const { holder } = incoming;
    // Most deletes have nothing to release, and then need no further statement.
    if (!isReleasing(this.scope.registry, holder)) return;
    const keys = this.found({ target: holder, keys: await this.cascaded(incoming, level) });
    if (keys.length > 0) await this.release({ target: holder, keys });
  }

  private async clear(incoming: IncomingKey, { target, keys }: Level): Promise<void> {
    const { holder, key } = incoming;
    const statement = new Statement();
    const which = statement.bind(keys, `${columnOf(target, target.key).cast}[]`);
    const deleted = `${columnOf(holder, holder.deletedAt ?? '').sql} IS NOT NULL`;
    const { text, values } = statement.compiled(
      `UPDATE ${holder.table} SET ${key.sql} = NULL WHERE ${key.sql} = ANY(${which}) AND ${deleted}`,
    );
    try {
      await this.scope.tx.query(text, values);
    } catch (error) {
      if (!isDatabaseRefusal(error)) throw error;
      // The row keeps its reference, as it would if the reference were required.
      throw heldByReferrer(incoming, this.scope.caller, { cause: error });
    }
  }

  /** Includes rows marked as deleted: the database deletes them too. */
  private async cascaded(incoming: IncomingKey, level: Level): Promise<readonly Key[]> {
    const statement = new Statement();
    const rows = referringRows(incoming, level, statement, incoming.holder.table);
    const { text, values } = statement.compiled(`${rows} LIMIT ${this.budget.limit} FOR UPDATE`);
    const found = await this.scope.tx.query<{ key: Key }>(text, values);
    this.budget.take(found.length);
    return found.map(({ key }) => key);
  }

  /** @returns the keys of those that were not found before */
  private found({ target, keys }: Level): readonly Key[] {
    const nameOf = (key: Key): string => `${target.table} ${key}`;
    const found = keys.filter((key) => !this.known.has(nameOf(key)));
    for (const key of found) this.known.add(nameOf(key));
    return found;
  }
}

function mayClear({ holder, key }: IncomingKey): boolean {
  const field = key.field === undefined ? undefined : holder.fields.get(key.field);
  if (holder.deletedAt === undefined || key.onDelete !== 'NO ACTION') return false;
  return field !== undefined && isStored(field) && field.nullable;
}

/** Whether a reference from a deleted row may have to be cleared for a delete in this collection. */
function isReleasing(
  registry: CollectionRegistry,
  target: StoredCollection,
  seen = new Set<StoredCollection>(),
): boolean {
  if (seen.has(target)) return false;
  seen.add(target);
  return registry
    .keysTo(target)
    .some(
      (incoming) =>
        mayClear(incoming) ||
        (incoming.key.onDelete === 'CASCADE' && isReleasing(registry, incoming.holder, seen)),
    );
}
