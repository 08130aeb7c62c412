import { inTurns } from '../../../common/next-turn';
import type { Change } from '../../hooks';
import type { Key, Values } from '../../write-context';
import { aboutItem } from '../about-item';
import { judgedBeforeRollback, judgedWith } from '../judge/before-rollback';
import { callHook } from '../call-hook';
import { refuseDeletedTargets } from '../judge/deleted-targets';
import { deleteRows } from '../delete/delete-rows';
import { followDeletes } from '../delete/follow-deletes';
import { HookContext } from '../hook-context';
import { judgeStored } from '../judge/judge';
import { type Judged, judgedOf, keysOf } from '../judge/judged';
import { Inserts } from './inserts';
import { storeMany } from './many-rows';
import { Updates } from './updates';
import {
  ROWS_PER_TURN,
  type DeletePlan,
  isNested,
  NO_VALUES,
  type Plan,
  type PlannedList,
  type PlannedParent,
  type PlannedRow,
  type RowsPlan,
} from '../plan/plan';
import { releaseFromDeleted } from '../delete/release-deleted';
import type { SoleRow } from './sole-row';
import { TouchedRows } from '../delete/touched-rows';
import { withRedactedErrors } from '../judge/redact-names';
import { collectionWrite, type WriteRequest, type CollectionWrite } from '../collection-write';
import { writeLinks } from './write-links';

/** Rows that were written, to be judged after the last write. */
export interface WrittenRows {
  readonly scope: CollectionWrite;
  readonly rows: readonly Judged[];
  /** The item of the request that they were sent in, where they are related to it. */
  readonly item?: number | undefined;
  /** The answers about the only row of the request. */
  readonly sole?: SoleRow | undefined;
}

/** What was written in the transaction, in order; all its writers share this. */
export interface Done {
  readonly changes: Change[];
  readonly written: WrittenRows[];
}

/** Executes plans: for each row first the rows it refers to, then the row, then the rows that refer to it. */
export class PlanRun {
  constructor(
    private readonly request: WriteRequest,
    private readonly done: Done,
  ) {}

  /**
   * @param filled foreign keys that were unknown before
   * @param item of the request, where the rows are related to it
   * @returns the keys of the rows
   */
  async run(plan: Plan, filled = NO_VALUES, item?: number): Promise<readonly Key[]> {
    const scope = collectionWrite(this.request, plan);
    if (plan.action === 'delete') return this.delete(scope, plan);
    if (plan.action === 'update' && scope.hooks.needsBefore === true) await plan.before.all();
    const many = await storeMany(scope, plan, filled);
    const rows = many ?? (await this.oneByOne(scope, plan, filled, item));
    const keys = keysOf(rows);
    this.note(plan, keys);
    const after = plan.action === 'create' ? 'afterCreate' : 'afterUpdate';
    if (keys.length > 0 && after in scope.hooks)
      await callHook(scope, after, keys, new HookContext(scope, keys));
    this.done.written.push({ scope, rows, item, sole: plan.sole });
    return keys;
  }

  /** Judges everything that was written, on the rows as the last write left them. */
  async judge(): Promise<void> {
    const { written } = this.done;
    for (const judge of [judgeStored, refuseDeletedTargets]) {
      for (const { scope, rows, item, sole } of written) {
        await withRedactedErrors(scope, scope.collection.name, () =>
          aboutItem(item, () => judge(scope, rows, sole?.judged)),
        );
      }
    }
  }

  private async oneByOne(
    scope: CollectionWrite,
    plan: RowsPlan,
    filled: Values,
    ofRequest: number | undefined,
  ): Promise<Judged[]> {
    const store = plan.action === 'create' ? new Inserts(scope, plan) : new Updates(scope, plan);
    const written: Judged[] = [];
    const flush = async (linked: Values): Promise<void> => {
      if (store.isWaiting) await this.referring(linked, scope, () => store.flush());
    };
    await inTurns(plan.rows, ROWS_PER_TURN, async (row) => {
      const nested = isNested(row);
      const item = row.item ?? ofRequest;
      if (nested) await flush(filled);
      const linked = new Map([...(await this.parents(row, item)), ...filled]);
      const sent = judgedOf(row, linked, scope.collection);
      const judged = await this.referring(linked, scope, () => store.add(row, sent));
      written.push(judged);
      if (!nested) return;
      await flush(linked);
      const judge = (): Promise<void> => judgeStored(scope, [judged]);
      for (const list of row.lists)
        await judgedWith(judge, () => this.list(list, scope, { owner: judged.key, item }));
    });
    await flush(filled);
    return written;
  }

  /**
   * Stores rows that refer, or by what hooks set may refer, to others of the request: the others must be permitted where
   * these are refused.
   */
  private referring<T>(
    linked: Values,
    scope: CollectionWrite,
    store: () => Promise<T>,
  ): Promise<T> {
    if (linked.size === 0 && this.done.changes.length === 0) return store();
    const judge = (): Promise<void> => this.judge();
    return judgedWith(judge, () => judgedBeforeRollback(scope, store));
  }

  /** @returns the row's foreign keys */
  private async parents({ parents }: PlannedRow, item: number | undefined): Promise<Values> {
    const values = new Map<string, Key | null>();
    for (const { field, row } of parents) values.set(field, await this.parent(row, item));
    return values;
  }

  private async parent(row: PlannedParent['row'], item: number | undefined): Promise<Key | null> {
    if ('key' in row) return row.key;
    const [key] = await this.related(row, NO_VALUES, item);
    return key ?? null;
  }

  private async list(
    { plan, foreignKey }: PlannedList,
    scope: CollectionWrite,
    { owner, item }: { readonly owner: Key; readonly item: number | undefined },
  ): Promise<void> {
    if (plan.action === 'link') {
      const { field, leaving, joining, made } = plan;
      const joined = [...joining, ...(made ? await this.related(made, NO_VALUES, item) : [])];
      await writeLinks(scope, { field, leaving, joined, owner });
      return this.request.log.linked(scope.collection, owner, {
        field: field.name,
        leaving,
        joined,
      });
    }
    const filled = foreignKey === undefined ? NO_VALUES : new Map([[foreignKey, owner]]);
    await this.related(plan, filled, item);
  }

  private related(plan: Plan, filled: Values, item: number | undefined): Promise<readonly Key[]> {
    return aboutItem(item, () => this.run(plan, filled, item));
  }

  private async delete(scope: CollectionWrite, plan: DeletePlan): Promise<readonly Key[]> {
    const { keys, before } = plan;
    if (keys.length === 0) return keys;
    const context = new HookContext(scope, keys);
    if (scope.hooks.needsBefore === true) await before.all();
    await callHook(scope, 'beforeDelete', keys, context);
    const touched = await TouchedRows.of(scope, keys);
    await callHook(scope, 'beforeCascade', keys, context);
    await releaseFromDeleted(scope, keys);
    await deleteRows(scope, plan);
    before.noteWritten(keys);
    await followDeletes(scope, keys);
    await touched.note();
    this.note(plan, keys);
    await callHook(scope, 'afterDelete', keys, context);
    return keys;
  }

  private note({ collection, action }: Plan, keys: readonly Key[]): void {
    if (keys.length === 0) return;
    const system = this.request.caller.system ?? null;
    this.done.changes.push({ collection: collection.name, action, keys, system });
  }
}
