import type { ToManyShape } from '../../../engine';
import type { Key } from '../../write-context';
import { columnOf } from '../../registry/stored-collection';
import type { CollectionWrite } from '../collection-write';
import { NOTHING_TO_JUDGE } from '../judge/constraint-fault';
import { translateRefusal } from '../judge/translate-refusal';

/** A change of one row's links in a junction table that no rule can name. */
interface LinkChange {
  /** The many-to-many list of the collection whose row is `owner`. */
  readonly field: ToManyShape;
  readonly owner: Key;
  /** Keys of rows that leave the list. */
  readonly leaving: readonly Key[];
  /** Keys of rows that join the list; those that are in it already stay. */
  readonly joined: readonly Key[];
}

/** Deletes and inserts the links. Rules judge them with the list, so there is nothing left to judge here. */
export async function writeLinks(
  scope: CollectionWrite,
  { field, owner, leaving, joined }: LinkChange,
): Promise<void> {
  const { registry, tx } = scope;
  const write = (text: string, keys: readonly Key[]): Promise<unknown> =>
    translateRefusal(scope, NOTHING_TO_JUDGE, () => tx.query(text, [owner, keys]));
  const { collection = '', foreignKey = '', targetForeignKey = '' } = field.through ?? {};
  const junction = registry.table(collection);
  const ownerKey = columnOf(junction, foreignKey);
  const targetKey = columnOf(junction, targetForeignKey);
  if (leaving.length > 0) {
    await write(
      `DELETE FROM ${junction.table} WHERE ${ownerKey.sql} = $1::${ownerKey.cast} AND ${targetKey.sql} = ANY($2::${targetKey.cast}[])`,
      leaving,
    );
  }
  if (joined.length === 0) return;
  await write(
    `INSERT INTO ${junction.table} (${ownerKey.sql}, ${targetKey.sql}) SELECT $1::${ownerKey.cast}, key FROM unnest($2::${targetKey.cast}[]) AS added(key) ON CONFLICT DO NOTHING`,
    joined,
  );
}
