import { BeforeCommit } from '../collections';
import type { Change, CommitContext, CommitHooks } from '../repository';

const REMOVE = `
  DELETE FROM service_comments comment USING unnest($1::text[], $2::text[]) AS gone (collection, item)
  WHERE comment.collection = gone.collection AND comment.item = gone.item`;

/** With a row go its comments: another row may get its key. */
@BeforeCommit()
export class CommentRemoval implements CommitHooks {
  async beforeCommit(changes: readonly Change[], { tx }: CommitContext): Promise<void> {
    const gone = changes.flatMap(({ action, collection, keys }) =>
      action === 'delete' ? keys.map((key) => ({ collection, item: String(key) })) : [],
    );
    if (gone.length === 0) return;
    await tx.query(REMOVE, [
      gone.map(({ collection }) => collection),
      gone.map(({ item }) => item),
    ]);
  }
}
