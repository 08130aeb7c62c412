import type { Cell } from '../../../engine';
import { ValueOutOfRange } from '../../../common/errors';
import { inTurns } from '../../../common/next-turn';
import type { Queries } from '../../../database/database';
import type { Key, Values } from '../../write-context';
import {
  ConstraintFault,
  isTaken,
  translateRefusal,
  NOTHING_TO_JUDGE,
  refuseIncomplete,
  refuseSkipped,
  refuseUnseen,
} from '../judge/constraint-fault';
import { callHook } from '../call-hook';
import { HookContext } from '../hook-context';
import { judgeInserted, type Judged, judgeUpdated, keysOf } from '../judge/judge';
import { aboutItem } from '../about-item';
import { insertRow } from './insert-row';
import { exceedsMaxKey } from './generated-keys';
import { compileSoftDelete } from '../delete/soft-delete';
import { LoggedColumns, type LoggedRow } from '../log/logged-columns';
import { ROWS_PER_TURN, type DeletePlan, type PlannedRow, type RowsPlan } from '../plan/plan';
import { unseenTargets } from '../plan/seen-rows';
import { realScope, type CollectionWrite } from '../collection-write';
import { compileLock } from '../lock/lock-sql';
import { findMatching, lockMatching } from '../lock/lock-rows';
import { updateRows } from './update-rows';
import { compileDelete } from './write-sql';

/** The values of a row in stored form. @param keys its key, if it has one already */
async function storedValues(
  scope: CollectionWrite,
  keys: readonly Key[],
  sent: Values,
): Promise<Values> {
  if (!scope.hooks.toStored) return sent;
  return (await callHook(scope, 'toStored', sent, new HookContext(scope, keys))) ?? sent;
}

/** Stores the rows of a plan one after the other. */
interface RowStore {
  /** Whether there is something to flush. */
  readonly isWaiting: boolean;
  /** @returns the row with its key; it may be stored only with the next one, or by `flush` */
  add(row: PlannedRow, judged: Judged): Promise<Judged>;
  flush(): Promise<void>;
}

export const storeFor = (scope: CollectionWrite, plan: RowsPlan): RowStore =>
  plan.action === 'create' ? new Inserts(scope, plan) : new Updates(scope, plan);

class Inserts implements RowStore {
  readonly isWaiting = false;

  constructor(
    private readonly scope: CollectionWrite,
    private readonly plan: RowsPlan,
  ) {}

  add(row: PlannedRow, judged: Judged): Promise<Judged> {
    return aboutItem(judged.item, () => this.insert(row, judged));
  }

  private async insert(row: PlannedRow, judged: Judged): Promise<Judged> {
    const { scope, plan } = this;
    const { values, item } = judged;
    const unseen = plan.unseen ? await unseenTargets(scope, [row.values]) : [];
    const judge = (queries: Queries): Promise<void> =>
      aboutItem(item, () => judgeInserted(scope, queries, values, judged, unseen));
    refuseUnseen(scope, unseen, judge);
    const required = scope.hooks.required?.(scope.caller) ?? [];
    refuseIncomplete(scope, required, (field) => carries(judged, field), judge);
    if (exceedsMaxKey(row, scope.collection, plan.maxNewKey)) throw this.outOfRangeFault(judge);
    const stored = await storedValues(scope, [], values);
    const key = await insertRow(scope, plan, judged, stored, (insert) =>
      this.unlessLinked(() => translateRefusal(scope, judge, insert, stored)),
    );
    return { ...judged, key: key ?? refuseSkipped(judge) };
  }

  /**
   * Another transaction may have made the same link since the list was read. If the request runs again, it finds that
   * row in the list already.
   */
  private async unlessLinked<T>(insert: () => Promise<T>): Promise<T> {
    try {
      return await insert();
    } catch (error) {
      const { parentLocks } = this.scope;
      if (!this.plan.joins || parentLocks.isRepeated || !isTaken(error)) throw error;
      throw parentLocks.giveUp(error);
    }
  }

  flush(): Promise<void> {
    return Promise.resolve();
  }

  private outOfRangeFault(judge: (queries: Queries) => Promise<void>): ConstraintFault {
    const { name, key } = this.scope.collection;
    const error = new ValueOutOfRange({ collection: name, field: key });
    return new ConstraintFault(() => Promise.resolve(error), judge);
  }
}

/** Whether a row has a value for a field; for a list it is enough that it was sent. */
const carries = ({ values, fields }: Judged, field: string): boolean =>
  values.has(field)
    ? ![null, ''].includes(values.get(field) as string | null)
    : fields.includes(field);

/** Rows that one statement gives the same values. */
interface Alike {
  /** What their payloads say, without presets. */
  readonly payload: Values;
  readonly sent: Values;
  readonly rows: Judged[];
}

/** Consecutive rows with the same values are updated by one statement, unless a hook changes the values of one. */
class Updates implements RowStore {
  private waiting: Alike | undefined;

  constructor(
    private readonly scope: CollectionWrite,
    private readonly plan: RowsPlan,
  ) {}

  get isWaiting(): boolean {
    return this.waiting !== undefined;
  }

  async add({ values }: PlannedRow, judged: Judged): Promise<Judged> {
    const { waiting, scope } = this;
    const one = { payload: values, sent: judged.values, rows: [judged] };
    // A target may be named by the payload of one row, where it is looked up, and by a preset of another.
    const joins =
      waiting !== undefined &&
      areAlike(waiting.sent, one.sent) &&
      areAlike(waiting.payload, one.payload);
    if (!joins) {
      await this.flush();
      const unseen = this.plan.unseen ? await unseenTargets(scope, [values]) : [];
      aboutItem(judged.item, () => refuseUnseen(scope, unseen, this.judgeOf(one, unseen)));
    }
    const stored = await aboutItem(judged.item, () => storedValues(scope, [judged.key], one.sent));
    if (stored !== one.sent) {
      await this.flush();
      await this.store(one, stored);
    } else if (joins) waiting.rows.push(judged);
    else this.waiting = one;
    return judged;
  }

  async flush(): Promise<void> {
    const { waiting } = this;
    this.waiting = undefined;
    if (waiting) await this.store(waiting, waiting.sent);
  }

  private store(alike: Alike, stored: Values): Promise<void> {
    // Of several rows the database does not say which one it refused.
    const [item] = alike.rows.length === 1 ? alike.rows.map((row) => row.item) : [];
    return aboutItem(item, () => this.update(alike, stored));
  }

  private async update(alike: Alike, stored: Values): Promise<void> {
    const { scope, plan } = this;
    const keys = keysOf(alike.rows);
    if (stored.size === 0) {
      if (plan.condition) await lockMatching(scope, keys, []);
      return;
    }
    const judge = this.judgeOf(alike);
    const { done, note } = await translateRefusal(scope, judge, () =>
      updateRows(scope, plan, alike.rows, stored),
    );
    scope.before.noteWritten(keys);
    await refuseUnwritten(scope, keys, done, judge);
    await note();
  }

  private readonly judgeOf =
    ({ sent, rows }: Alike, unseen: readonly string[] = []) =>
    async (queries: Queries): Promise<void> => {
      const { scope, plan } = this;
      // The database may have refused a value before it checked the row.
      if (plan.condition) await findMatching(scope, keysOf(rows), queries);
      await judgeUpdated(scope, queries, sent, rows, unseen);
    };
}

/** Lists and objects are equal only where the same one was sent for all rows. */
export const areAlike = (one: Values, other: Values): boolean =>
  one.size === other.size &&
  [...one].every(([name, cell]: [string, Cell]) => other.has(name) && other.get(name) === cell);

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

interface WrittenRow {
  readonly key: Key;
}

/**
 * A trigger of the database may silently skip updates or deletes: such rows still exist, while rows already gone, for
 * example by a cascade, do not.
 */
async function refuseUnwritten(
  scope: CollectionWrite,
  keys: readonly Key[],
  written: readonly WrittenRow[],
  judge: (queries: Queries) => Promise<void>,
): Promise<void> {
  if (written.length >= keys.length) return;
  const done = new Set(written.map(({ key }) => String(key)));
  const others = keys.filter((key) => !done.has(String(key)));
  const real = realScope(scope.registry, scope.collection);
  const { text, values } = compileLock(real, others, 'NO KEY UPDATE');
  if ((await scope.tx.query(text, values)).length > 0) refuseSkipped(judge);
}
