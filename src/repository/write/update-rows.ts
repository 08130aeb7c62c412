import { type Cell, mergePresets } from '../../engine';
import type { Queries } from '../../database/database';
import type { Values } from '../hooks';
import { guarded, refuseUnseen } from './constraint-fault';
import type { UnseenTargets } from './foreign-keys';
import type { Judged } from './judge';
import { judgeUpdated, keysOf } from './judge-rows';
import { fieldsOf } from './payload';
import type { PlannedUpdate } from './plan';
import type { WriteScope } from './write-scope';
import { refuseUnwritten, type WrittenRow } from './unwritten';
import { compileUpdate } from './write-sql';

/** Rows that one statement gives the same values. */
interface Alike {
  readonly sent: Values;
  readonly rows: Judged[];
}

/**
 * Updates rows in their order. Neighbours that get the same values are updated by one statement, unless something is
 * written before or after each of them, or a hook makes other values of what was sent.
 */
export class RowUpdates {
  readonly written: Judged[] = [];
  private waiting: Alike | undefined;

  constructor(
    private readonly scope: WriteScope,
    private readonly link: Values,
    private readonly unseenTargets: UnseenTargets,
  ) {}

  async add({ key, cases, checked, related }: PlannedUpdate): Promise<void> {
    const nested = checked.relations.size > 0;
    if (nested) await this.flush();
    const own = [...checked.values, ...(await related.before()), ...this.link];
    const sent: Values = new Map([...mergePresets(cases), ...own]);
    const fields = [...fieldsOf(checked), ...this.link.keys()];
    const judged: Judged = { key, fields, sent, met: cases };
    await this.write({ sent, rows: [judged] }, checked.values);
    this.written.push(judged);
    if (!nested) return;
    await this.flush();
    await related.after(key);
  }

  /** Writes what waits for a neighbour. */
  async flush(): Promise<void> {
    const { waiting } = this;
    this.waiting = undefined;
    if (waiting) await this.store(waiting, waiting.sent);
  }

  private async write(one: Alike, values: Values): Promise<void> {
    const { waiting, scope } = this;
    const joins = waiting !== undefined && areAlike(waiting.sent, one.sent);
    if (!joins) {
      await this.flush();
      const unseen = await this.unseenTargets(values);
      refuseUnseen(scope, unseen, this.judgeOf(one, unseen));
    }
    const stored = (await scope.hooks.toStored?.(one.sent, scope)) ?? one.sent;
    if (stored !== one.sent) {
      await this.flush();
      await this.store(one, stored);
    } else if (joins) waiting.rows.push(...one.rows);
    else this.waiting = one;
  }

  private async store(alike: Alike, stored: Values): Promise<void> {
    if (stored.size === 0) return;
    const { collection, tx } = this.scope;
    const { text, values } = compileUpdate(collection, keysOf(alike.rows), stored);
    const judge = this.judgeOf(alike);
    const done = await guarded(this.scope, judge, () => tx.query<WrittenRow>(text, values));
    await refuseUnwritten(this.scope, keysOf(alike.rows), done, judge);
  }

  private readonly judgeOf =
    ({ sent, rows }: Alike, unseen: readonly string[] = []) =>
    (queries: Queries): Promise<void> =>
      judgeUpdated(this.scope, queries, sent, rows, unseen);
}

/** Lists and objects are the same where they were sent once for all. */
const areAlike = (one: Values, other: Values): boolean =>
  one.size === other.size &&
  [...one].every(([name, cell]: [string, Cell]) => other.has(name) && other.get(name) === cell);
