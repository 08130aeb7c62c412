import { everything } from '../../../engine';
import { Forbidden } from '../../../common/errors';
import { inTurns } from '../../../common/next-turn';
import type { Values } from '../../write-context';
import { realScope, type CollectionWrite } from '../collection-write';
import { type Judged, keysOf } from '../judge/judged';
import { lockFor } from '../lock/lock-strength';
import { LoggedColumns, type LoggedRow } from '../log/logged-columns';
import { ROWS_PER_TURN, type RowsPlan } from '../plan/plan';
import { recordedUpdate } from '../log/recorded-entry';
import { ReturnedRow } from './returned-row';
import { runStoring } from './run-storing';
import { compileLockingUpdate } from './store-sql';
import { compileUpdate } from './write-sql';

interface UpdatedRows {
  readonly done: readonly LoggedRow[];
  /** Notes them in the log. */
  readonly note: () => Promise<void>;
}

/**
 * Gives the rows the same values.
 * @throws Forbidden where a row that is locked only now does not meet its condition
 */
export async function updateRows(
  scope: CollectionWrite,
  plan: RowsPlan,
  rows: readonly Judged[],
  stored: Values,
): Promise<UpdatedRows> {
  const { registry, collection, tx, log } = scope;
  const { condition } = plan;
  const keys = keysOf(rows);
  const logged = LoggedColumns.of(log, collection, stored.keys(), keys.length);
  const noteAll = async (done: readonly LoggedRow[]): Promise<void> =>
    inTurns(done, ROWS_PER_TURN, (row) => logged.noteUpdated(log, row));
  const [first] = rows;
  const recorded = await recordedUpdate(scope, plan, logged);
  const returned = first && (await ReturnedRow.of(scope, plan, first, recorded !== undefined));
  if (!condition && !returned) {
    const { text, values } = compileUpdate(collection, keys, stored, logged);
    const done = await tx.query<LoggedRow>(text, values);
    return { done, note: () => noteAll(done) };
  }
  const lock = await lockFor(scope, stored.keys());
  const extras = { logged, returned, recorded, lock };
  const [key] = keys;
  const locked = await runStoring<LoggedRow>(tx, {
    row: { key, values: stored, system: log.system },
    extras,
    how: `update ${lock} ${logged.length} ${condition !== undefined}`,
    compile: (names) =>
      compileLockingUpdate(realScope(registry, collection), names, condition ?? everything, extras),
  });
  if (condition && locked.length === 0) throw new Forbidden({});
  const done = locked.filter(({ key }) => key !== null);
  const note = async (): Promise<void> => {
    await noteAll(done);
    if (recorded) log.noteRecorded();
  };
  return { done, note };
}
