import { Forbidden } from '../common/errors';
import type { Queries } from '../database';
import type { Caller } from '../engine';
import { BeforeCommit } from '../collections';
import type { Change, CommitContext, CommitHooks, Key } from '../repository';
import { lockPrivileges, refuseFewer } from './administrators';
import type { Alteration, Fact } from './fact';
import { GUARDED, type Guarded } from './guarded';
import { alteredFields, judgeAlteration, concernsOthers } from './judge-alteration';
import { Snapshots } from './snapshots';

interface Written {
  readonly created: Set<Key>;
  readonly others: Set<Key>;
}

interface Altered {
  readonly alteration: Alteration;
  readonly guarded: Guarded;
}

/** Whether a request altered what it altered rightly is asked once, when all of it is written: no shape of a request matters. */
@BeforeCommit()
export class PrivilegeCheck implements CommitHooks {
  constructor(private readonly snapshots: Snapshots) {}

  async beforeCommit(changes: readonly Change[], { tx, caller }: CommitContext): Promise<void> {
    const written = guardedChanges(changes);
    if (written.size === 0) return;
    let altered = await this.readAltered(written, tx, caller);
    if (altered.some((each) => concernsOthers(each.alteration, each.guarded, caller))) {
      // Whoever else grants or takes anything in this moment is judged with this, or this with theirs.
      await lockPrivileges(tx);
      altered = await this.readAltered(written, tx, caller);
    }
    for (const { alteration, guarded } of altered) judgeAlteration(alteration, guarded, caller);
    await this.keepAdministrator(tx, caller, altered.flatMap(deprivedBy));
  }

  private async readAltered(
    written: ReadonlyMap<string, Written>,
    tx: Queries,
    caller: Caller,
  ): Promise<Altered[]> {
    const all: Altered[] = [];
    for (const [collection, rows] of written) {
      const guarded = GUARDED[collection] ?? {};
      const alterations = await this.alterations(collection, rows, tx, caller);
      for (const alteration of alterations) all.push({ alteration, guarded });
    }
    return all;
  }

  private async alterations(
    collection: string,
    { created, others }: Written,
    tx: Queries,
    caller: Caller,
  ): Promise<Alteration[]> {
    const before = this.snapshots.of(tx).facts.get(collection) ?? new Map<Key, Fact>();
    // What was not looked at before it was written cannot be judged.
    const isUnseen = [...others].some((key) => !before.has(key));
    if (isUnseen && !caller.administrator) throw new Forbidden({});
    const found = await this.snapshots.after(collection, tx, [...created, ...others], caller);
    const after = new Map(found.map((fact) => [fact.id, fact]));
    return [
      ...[...created].map((key) => ({ before: undefined, after: after.get(key) })),
      ...[...others].map((key) => ({ before: before.get(key), after: after.get(key) })),
    ];
  }

  private async keepAdministrator(
    tx: Queries,
    caller: Caller,
    [field]: readonly string[],
  ): Promise<void> {
    const { level } = this.snapshots.of(tx);
    if (field === undefined || level === undefined) return;
    if (caller.administrator) await lockPrivileges(tx);
    await refuseFewer(tx, level, field);
  }
}

function guardedChanges(changes: readonly Change[]): ReadonlyMap<string, Written> {
  const written = new Map<string, Written>();
  for (const { collection, action, keys } of changes) {
    if (!Object.hasOwn(GUARDED, collection)) continue;
    const rows = written.get(collection) ?? { created: new Set(), others: new Set() };
    written.set(collection, rows);
    for (const key of keys) {
      if (action === 'create') rows.created.add(key);
      else if (!rows.created.has(key)) rows.others.add(key);
    }
  }
  return written;
}

/** By which field somebody may have ceased to be an administrator; of a row that is gone, its key. */
function deprivedBy({ alteration, guarded }: Altered): string[] {
  if (alteration.before?.administers !== true) return [];
  return alteration.after ? alteredFields(alteration, guarded).slice(0, 1) : ['id'];
}
