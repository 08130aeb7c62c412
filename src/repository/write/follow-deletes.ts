import { InvalidForeignKey } from '../../common/errors';
import { Statement } from '../compile/statement';
import type { Key } from '../hooks';
import type { Naming } from '../registry/registry';
import { columnOf } from '../registry/stored-collection';
import type { CollectionWrite } from './collection-write';
import { translateRefusal } from './constraint-fault';
import { type Level, namedBy, RoomToFollow } from './followed-rows';
import { setDeleted } from './kept-delete';
import { DeletedHolders } from './release-deleted';

/**
 * Does to the rows that refer to deleted ones what the database would do: ON DELETE CASCADE, SET NULL and SET DEFAULT,
 * and at the end the restriction by the remaining rows. Where a cascade really deletes rows, the database continues by
 * itself. Rows deleted earlier stay as they are.
 * @param keys the rows that have just been deleted
 * @throws InvalidForeignKey where a remaining row refers to a deleted one
 */
export async function followDeletes(scope: CollectionWrite, keys: readonly Key[]): Promise<void> {
  const { registry, collection } = scope;
  if (collection.deletedAt === undefined) return;
  const follower = new Follower(scope);
  const levels: Level[] = [{ target: collection, keys }];
  const each = async (work: (naming: Naming, level: Level) => Promise<void>): Promise<void> => {
    // The list grows during the loop; a deleted row is not found again, so the loop ends.
    for (const level of levels)
      for (const naming of registry.naming(level.target)) await work(naming, level);
  };
  await each(async (naming, level) => {
    const gone = await follower.cascade(naming, level);
    if (gone.length > 0) levels.push({ target: naming.holder, keys: gone });
  });
  await each((naming, level) => follower.release(naming, level));
  await each((naming, level) => follower.refuseHeld(naming, level));
}

class Follower {
  private readonly room = new RoomToFollow();
  private readonly holders: DeletedHolders;

  constructor(private readonly scope: CollectionWrite) {
    this.holders = new DeletedHolders(scope);
  }

  /** @returns the keys of the rows that were marked as deleted along with them */
  async cascade(naming: Naming, level: Level): Promise<readonly Key[]> {
    const { holder, key } = naming;
    if (key.onDelete !== 'CASCADE') return [];
    const statement = new Statement();
    if (holder.deletedAt === undefined) {
      await this.holders.releaseBelow(naming, level);
      await this.change(naming, level, statement, `DELETE FROM ${holder.table} s USING`);
      return [];
    }
    const set = setDeleted(holder, statement, this.scope.caller.identity.now);
    return this.change(naming, level, statement, `UPDATE ${holder.table} s SET ${set} FROM`);
  }

  async release(naming: Naming, level: Level): Promise<void> {
    const { holder, key } = naming;
    if (key.onDelete !== 'SET NULL' && key.onDelete !== 'SET DEFAULT') return;
    const value = key.onDelete === 'SET NULL' ? 'NULL' : 'DEFAULT';
    const change = `UPDATE ${holder.table} s SET ${key.sql} = ${value} FROM`;
    await this.change(naming, level, new Statement(), change);
  }

  async refuseHeld(naming: Naming, level: Level): Promise<void> {
    if (naming.key.onDelete !== 'NO ACTION') return;
    const statement = new Statement();
    const { text, values } = statement.compiled(
      `${namedBy(naming, level, statement, naming.holder.rows)} LIMIT 1`,
    );
    const held = (await this.scope.tx.query(text, values)).length > 0;
    if (held) throw new InvalidForeignKey({ collection: this.scope.collection.name });
  }

  /** The rows are locked in the order of their keys, so that no one makes another row refer to them meanwhile. */
  private async change(
    naming: Naming,
    level: Level,
    statement: Statement,
    change: string,
  ): Promise<readonly Key[]> {
    const own = columnOf(naming.holder, naming.holder.key).sql;
    const found = `${namedBy(naming, level, statement, naming.holder.rows)} LIMIT ${this.room.most} FOR UPDATE`;
    const { text, values } = statement.compiled(
      `WITH found AS (${found}) ${change} found WHERE s.${own} = found.key RETURNING found.key`,
    );
    const judge = (): Promise<void> => Promise.resolve();
    const rows = await translateRefusal(this.scope, judge, () =>
      this.scope.tx.query<{ key: Key }>(text, values),
    );
    this.room.take(rows.length);
    return rows.map(({ key }) => key);
  }
}
