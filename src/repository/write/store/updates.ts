import type { Cell } from '../../../engine';
import type { Queries } from '../../../database/database';
import type { Values } from '../../write-context';
import { aboutItem } from '../about-item';
import type { CollectionWrite } from '../collection-write';
import { judgeUpdated } from '../judge/judge';
import { type Judged, keysOf } from '../judge/judged';
import { refuseUnseen, translateRefusal } from '../judge/translate-refusal';
import { findMatching } from '../lock/matching-cases';
import { lockMatching } from '../lock/lock-rows';
import type { PlannedRow, RowsPlan } from '../plan/plan';
import { unseenTargets } from '../plan/seen-rows';
import { type RowStore, storedValues } from './row-store';
import { refuseUnwritten } from './unwritten-rows';
import { updateRows } from './update-rows';

/** Rows that one statement gives the same values. */
interface Alike {
  /** What their payloads say, without presets. */
  readonly payload: Values;
  readonly sent: Values;
  readonly rows: Judged[];
}

/** Consecutive rows with the same values are updated by one statement, unless a hook changes the values of one. */
export class Updates implements RowStore {
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
