import { Statement } from '../../compile/statement';
import type { Key } from '../../write-context';
import type { IncomingKey } from '../../registry/registry';
import { columnOf } from '../../registry/stored-collection';
import type { CollectionWrite } from '../collection-write';
import { heldByReferrer } from '../judge/constraint-error';
import { NOTHING_TO_JUDGE } from '../judge/constraint-fault';
import { translateRefusal } from '../judge/translate-refusal';
import { type Level, referringRows, FollowBudget } from './followed-rows';
import { softDeleteAssignment } from './soft-delete';
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
  const each = async (
    work: (incoming: IncomingKey, level: Level) => Promise<void>,
  ): Promise<void> => {
    // The list grows during the loop; a deleted row is not found again, so the loop ends.
    for (const level of levels)
      for (const incoming of registry.keysTo(level.target)) await work(incoming, level);
  };
  await each(async (incoming, level) => {
    const gone = await follower.cascade(incoming, level);
    if (gone.length > 0) levels.push({ target: incoming.holder, keys: gone });
  });
  await each((incoming, level) => follower.release(incoming, level));
  await each((incoming, level) => follower.refuseHeld(incoming, level));
}

class Follower {
  private readonly budget = new FollowBudget();
  private readonly holders: DeletedHolders;

  constructor(private readonly scope: CollectionWrite) {
    this.holders = new DeletedHolders(scope);
  }

  /** @returns the keys of the rows that were marked as deleted along with them */
  async cascade(incoming: IncomingKey, level: Level): Promise<readonly Key[]> {
    const { holder, key } = incoming;
    if (key.onDelete !== 'CASCADE') return [];
    const statement = new Statement();
    if (holder.deletedAt === undefined) {
      await this.holders.releaseBelow(incoming, level);
      await this.change(incoming, level, statement, `DELETE FROM ${holder.table} s USING`);
      return [];
    }
    const set = softDeleteAssignment(holder, statement, this.scope.caller.identity.now);
    return this.change(incoming, level, statement, `UPDATE ${holder.table} s SET ${set} FROM`);
  }

  async release(incoming: IncomingKey, level: Level): Promise<void> {
    const { holder, key } = incoming;
    if (key.onDelete !== 'SET NULL' && key.onDelete !== 'SET DEFAULT') return;
    const value = key.onDelete === 'SET NULL' ? 'NULL' : 'DEFAULT';
    const change = `UPDATE ${holder.table} s SET ${key.sql} = ${value} FROM`;
    await this.change(incoming, level, new Statement(), change);
  }

  async refuseHeld(incoming: IncomingKey, level: Level): Promise<void> {
    if (incoming.key.onDelete !== 'NO ACTION') return;
    const statement = new Statement();
    const { text, values } = statement.compiled(
      `${referringRows(incoming, level, statement, incoming.holder.rows)} LIMIT 1`,
    );
    const held = (await this.scope.tx.query(text, values)).length > 0;
    if (held) throw heldByReferrer(incoming, this.scope.caller);
  }

  /** The rows are locked in the order of their keys, so that no one makes another row refer to them meanwhile. */
  private async change(
    incoming: IncomingKey,
    level: Level,
    statement: Statement,
    change: string,
  ): Promise<readonly Key[]> {
    const own = columnOf(incoming.holder, incoming.holder.key).sql;
    const found = `${referringRows(incoming, level, statement, incoming.holder.rows)} LIMIT ${this.budget.limit} FOR UPDATE`;
    const { text, values } = statement.compiled(
      `WITH found AS (${found}) ${change} found WHERE s.${own} = found.key RETURNING found.key`,
    );
    const rows = await translateRefusal(this.scope, NOTHING_TO_JUDGE, () =>
      this.scope.tx.query<{ key: Key }>(text, values),
    );
    this.budget.take(rows.length);
    return rows.map(({ key }) => key);
  }
}
