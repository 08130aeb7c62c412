import { BeforeCommit, Collections } from '../collections';
import type { Queries } from '../database';
import type { Action } from '../engine';
import { type Change, type CommitContext, type CommitHooks, keyAsText } from '../repository';

const REMOVE = `
  DELETE FROM service_comments comment USING unnest($1::text[], $2::text[]) AS gone (collection, item)
  WHERE comment.collection = gone.collection AND comment.item = gone.item`;

/** Deletes the comments on deleted items, also on those deleted with another item: a new item may get the same key. */
@BeforeCommit()
export class CommentRemoval implements CommitHooks {
  constructor(private readonly collections: Collections) {}

  concerns(_: string, action: Action): boolean {
    return action === 'delete';
  }

  async beforeCommit(
    changes: readonly Change[],
    { tx, entries, unlisted }: CommitContext,
  ): Promise<void> {
    const gone = changes.filter(({ action }) => action === 'delete');
    const others = entries.filter(({ action }) => action === 'delete');
    if (gone.length + others.length > 0) {
      const rows = [
        ...gone.flatMap(({ collection, keys }) => keys.map((key) => [collection, String(key)])),
        ...others.map(({ collection, key }) => [collection, String(key)]),
      ];
      await tx.query(REMOVE, [
        rows.map(([collection]) => collection),
        rows.map(([, item]) => item),
      ]);
    }
    for (const collection of unlisted) await this.sweep(collection, tx);
  }

  /** Where too many items were deleted to list them: deletes the comments whose item is missing, or kept as deleted. */
  private async sweep(name: string, tx: Queries): Promise<void> {
    const { rows, columns, key } = this.collections.registry.table(name);
    const column = columns.get(key);
    if (!column) return;
    const { guard, equal } = keyAsText(column, `target.${column.sql}`, 'comment.item');
    await tx.query(
      `DELETE FROM service_comments comment WHERE comment.collection = $1 AND CASE
         WHEN ${guard} THEN NOT EXISTS (SELECT 1 FROM ${rows} target WHERE ${equal})
         ELSE FALSE END`,
      [name],
    );
  }
}
