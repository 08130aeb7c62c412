import { inTurns } from '../../../common/next-turn';
import { realScope, type CollectionWrite } from '../collection-write';
import { NOTHING_TO_JUDGE } from '../judge/constraint-fault';
import { translateRefusal } from '../judge/translate-refusal';
import { LoggedColumns, type LoggedRow } from '../log/logged-columns';
import { ROWS_PER_TURN, type DeletePlan } from '../plan/plan';
import { refuseUnwritten } from '../store/unwritten-rows';
import { compileDelete } from '../store/write-sql';
import { compileSoftDelete } from './soft-delete';

/** Deletes the rows, or marks them as deleted, and logs them. */
export async function deleteRows(scope: CollectionWrite, { keys }: DeletePlan): Promise<void> {
  const { log, collection } = scope;
  const logged = LoggedColumns.of(log, collection, collection.columns.keys(), keys.length);
  const real = realScope(scope.registry, collection);
  const { text, values } =
    collection.deletedAt === undefined
      ? compileDelete(real, keys, logged)
      : compileSoftDelete(real, keys, scope.caller.identity.now, logged);
  // Whether the rows may be deleted was checked before.
  const done = await translateRefusal(scope, NOTHING_TO_JUDGE, () =>
    scope.tx.query<LoggedRow>(text, values),
  );
  await refuseUnwritten(scope, keys, done, NOTHING_TO_JUDGE);
  await inTurns(done, ROWS_PER_TURN, (row) => logged.noteDeleted(log, row));
}
