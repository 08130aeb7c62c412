import { Forbidden } from '../common/errors';
import type { Queries } from '../database';
import type { Caller } from '../engine';
import { BeforeCommit } from '../collections';
import {
  type Change,
  CollectionRegistry,
  type CommitContext,
  type CommitHooks,
  type Key,
  systemCaller,
} from '../repository';
import { Administrators, lockPrivileges } from './administrators';
import type { GuardedChange, GuardedRow } from './guarded-row';
import { GUARDED_FIELDS, type GuardedFields } from './guarded-fields';
import { changedFields, judgeChange, concernsOthers } from './judge-change';
import { Snapshots, writtenKeys } from './snapshots';

interface Written {
  readonly created: Set<Key>;
  readonly others: Set<Key>;
}

interface ChangedRow {
  readonly change: GuardedChange;
  readonly guarded: GuardedFields;
}

/**
 * Whether a request's changes were allowed is checked once, after all of its writes: its shape does not matter. Writes
 * of hooks as the system give the caller nothing: what the caller has written by then is judged first.
 */
@BeforeCommit()
export class PrivilegeCheck implements CommitHooks {
  constructor(
    private readonly snapshots: Snapshots,
    private readonly registry: CollectionRegistry,
    private readonly administrators: Administrators,
  ) {}

  concerns(collection: string): boolean {
    return GUARDED_FIELDS.has(collection);
  }

  async beforeCommit(changes: readonly Change[], { tx, caller }: CommitContext): Promise<void> {
    const isOwn = ({ system }: Change): boolean => system === null;
    await this.judgeAll(changes.filter(isOwn), tx, caller);
    const others = changes.filter((change) => !isOwn(change));
    if (others.length === 0) return;
    const system = caller.system === undefined ? systemCaller(this.registry, AS_SYSTEM) : caller;
    await this.judgeAll(others, tx, system);
  }

  /** Before the system writes guarded rows: only the changes until then are the caller's. */
  async beforeSystem(tx: Queries): Promise<void> {
    const own = this.snapshots.own(tx);
    if (!own || own.caller.administrator) return;
    const written = new Map(
      [...own.rows.keys(), ...own.created.keys()].map((collection) => {
        const created = own.created.get(collection) ?? new Set<Key>();
        const others = writtenKeys(own, collection).filter((key) => !created.has(key));
        return [collection, { created, others: new Set(others) }];
      }),
    );
    own.removals.push(...(await this.judge(written, tx, own.caller)).flatMap(removedBy));
  }

  async afterSystem(tx: Queries): Promise<void> {
    const own = this.snapshots.own(tx);
    if (own && !own.caller.administrator) await this.snapshots.restart(tx, own);
  }

  private async judgeAll(changes: readonly Change[], tx: Queries, caller: Caller): Promise<void> {
    const written = guardedChanges(changes);
    if (written.size === 0) return;
    const changed = await this.judge(written, tx, caller);
    const { removals } = this.snapshots.of(tx, caller);
    await this.keepAdministrator(tx, caller, [...removals, ...changed.flatMap(removedBy)]);
  }

  private async judge(
    written: ReadonlyMap<string, Written>,
    tx: Queries,
    caller: Caller,
  ): Promise<ChangedRow[]> {
    let changed = await this.readChanged(written, tx, caller);
    if (changed.some((each) => concernsOthers(each.change, each.guarded, caller))) {
      // Simultaneous changes of rights are judged one after another.
      await lockPrivileges(tx);
      changed = await this.readChanged(written, tx, caller);
    }
    for (const { change, guarded } of changed) judgeChange(change, guarded, caller);
    return changed;
  }

  private async readChanged(
    written: ReadonlyMap<string, Written>,
    tx: Queries,
    caller: Caller,
  ): Promise<ChangedRow[]> {
    const all: ChangedRow[] = [];
    for (const [collection, rows] of written) {
      const guarded = GUARDED_FIELDS.get(collection) ?? {};
      const changes = await this.changes(collection, rows, tx, caller);
      for (const change of changes) all.push({ change, guarded });
    }
    return all;
  }

  private async changes(
    collection: string,
    { created, others }: Written,
    tx: Queries,
    caller: Caller,
  ): Promise<GuardedChange[]> {
    const { rows: known, judged } = this.snapshots.of(tx, caller);
    const before = known.get(collection) ?? new Map<Key, GuardedRow>();
    const wasJudged = (key: Key): boolean => judged.has(`${collection} ${key}`);
    // A row that was not read before it was written cannot be judged.
    const isUnseen = [...others].some((key) => !before.has(key) && !wasJudged(key));
    if (isUnseen && !caller.administrator) throw new Forbidden({});
    const { fixed } = GUARDED_FIELDS.get(collection) ?? {};
    // Of the rows that an administrator writes, those before whose write `bindsAdministrators` had them read.
    const isJudged = (key: Key): boolean =>
      !caller.administrator || fixed !== undefined || before.get(key)?.administers === true;
    const keys = [...created, ...others].filter(isJudged);
    if (keys.length === 0) return [];
    const found = await this.snapshots.after(collection, tx, keys, caller);
    const after = new Map(found.map((row) => [row.id, row]));
    return keys.map((key) => ({
      before: created.has(key) && !wasJudged(key) ? undefined : before.get(key),
      after: after.get(key),
    }));
  }

  private async keepAdministrator(
    tx: Queries,
    caller: Caller,
    [field]: readonly string[],
  ): Promise<void> {
    const { levels } = this.snapshots.of(tx, caller);
    if (field === undefined || levels === undefined) return;
    if (caller.administrator) await lockPrivileges(tx);
    await this.administrators.refuseFewer(tx, levels, field);
  }
}

const AS_SYSTEM = 'what hooks wrote is judged';

function guardedChanges(changes: readonly Change[]): ReadonlyMap<string, Written> {
  const written = new Map<string, Written>();
  for (const { collection, action, keys } of changes) {
    if (!GUARDED_FIELDS.has(collection)) continue;
    const rows = written.get(collection) ?? { created: new Set(), others: new Set() };
    written.set(collection, rows);
    for (const key of keys) {
      if (action === 'create') rows.created.add(key);
      else if (!rows.created.has(key)) rows.others.add(key);
    }
  }
  return written;
}

/** The field through which an administrator may have been removed; for a deleted row, its key. */
function removedBy({ change, guarded }: ChangedRow): string[] {
  if (change.before?.administers !== true) return [];
  return change.after ? changedFields(change, guarded).slice(0, 1) : ['id'];
}
