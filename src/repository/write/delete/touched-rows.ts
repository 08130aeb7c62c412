import { inTurns } from '../../../common/next-turn';
import type { Key } from '../../write-context';
import type { CollectionRegistry } from '../../registry/registry';
import type { StoredCollection } from '../../registry/stored-collection';
import type { ChangeLog } from '../log/change-log';
import type { CollectionWrite } from '../collection-write';
import { ROWS_PER_TURN } from '../plan/plan';
import { MAX_ITEMS } from '../plan/selection-body';
import {
  compileTouched,
  type DeletedRows,
  mayBeDeleted,
  type Referring,
  type Touched,
  touchedOf,
  type TouchedRow,
} from './touched-sql';

/** How many rows are listed that the deletes of one request affect indirectly: as many as a request may send. */
const MAX_TOUCHED = MAX_ITEMS;
/** The longest chain of deletes that is followed. */
const MAX_LEVELS = 20;

/**
 * What the database does to other rows when some are deleted, by ON DELETE CASCADE and SET NULL. They are read and
 * locked beforehand, by one statement per level of references; beyond the bounds the delete still runs, and its
 * remaining rows are not listed. Only rows of collections are listed, and references through other tables are not
 * followed.
 */
export class TouchedRows {
  private readonly rows = new Map<string, Touched>();
  private readonly gone = new Map<StoredCollection, Key[]>();

  private constructor(private readonly log: ChangeLog) {}

  /** @param keys the rows that are about to be deleted, locked */
  static async of(scope: CollectionWrite, keys: readonly Key[]): Promise<TouchedRows> {
    const { registry, collection, log } = scope;
    const touched = new TouchedRows(log);
    touched.gone.set(collection, [...keys]);
    let next: DeletedRows = new Map([[collection, keys]]);
    for (let level = 1; ; level++) {
      const referring = referringTo(registry, next);
      if (referring.length === 0) return touched;
      const found = level > MAX_LEVELS ? null : await touched.ask(scope, next, referring, level);
      if (found === null) return touched.stop(registry, next);
      next = found;
    }
  }

  /** Called after the delete, so that the deleted rows come before those deleted along with them. */
  async note(): Promise<void> {
    const { log, rows } = this;
    await inTurns([...rows.values()], ROWS_PER_TURN, ({ row, logged, fields }) => {
      if (fields === 'all') logged.noteDeleted(log, row);
      else logged.noteReleased(log, row, fields);
    });
  }

  /** @returns the rows that will be deleted, by whose keys the next level is found; null where there are too many */
  private async ask(
    { tx }: CollectionWrite,
    level: DeletedRows,
    referring: readonly Referring[],
    depth: number,
  ): Promise<DeletedRows | null> {
    const { log, rows } = this;
    if (log.touched >= MAX_TOUCHED) return null;
    // Rows that are already listed may be found again.
    const limit = MAX_TOUCHED - log.touched + rows.size + 1;
    const { text, values } = compileTouched(referring, {
      level,
      gone: this.gone,
      limit,
      budget: log.budgetAt(depth),
    });
    const found = await tx.query<TouchedRow>(text, values);
    const next = new Map<StoredCollection, Key[]>();
    const left = { out: found.length === limit };
    await inTurns(found, ROWS_PER_TURN, (each) => {
      const touched = touchedOf(referring, each);
      if (!touched) return;
      if (!this.add(touched)) left.out = true;
      else if (touched.fields === 'all') push(next, touched.collection, touched.row.key);
    });
    for (const [collection, keys] of next) push(this.gone, collection, ...keys);
    return left.out ? null : next;
  }

  /** A row that one reference deletes is deleted; a row that loses several references is listed once. */
  private add(touched: Touched): boolean {
    const { rows, log } = this;
    const name = `${touched.collection.name} ${touched.row.key}`;
    const known = rows.get(name);
    if (!known && log.touched === MAX_TOUCHED) return false;
    if (!known) log.touch();
    if (known && known.fields !== 'all' && touched.fields !== 'all') {
      rows.set(name, { ...known, fields: [...new Set([...known.fields, ...touched.fields])] });
      return true;
    }
    // Moved to the end, so that it comes after the row with which it is deleted.
    rows.delete(name);
    rows.set(name, touched);
    return true;
  }

  /** Where more rows of a collection may be deleted, none is certain to stay. */
  private stop(registry: CollectionRegistry, from: DeletedRows): this {
    const unlisted = cascadedFrom(registry, from.keys());
    for (const each of unlisted) this.log.unlisted.add(each);
    for (const [name, { collection, fields }] of this.rows) {
      if (fields !== 'all' && unlisted.has(collection)) this.rows.delete(name);
    }
    return this;
  }
}

function push<K, V>(lists: Map<K, V[]>, key: K, ...values: readonly V[]): void {
  const list = lists.get(key);
  if (!list) lists.set(key, [...values]);
  else for (const value of values) list.push(value);
}

/** The collections that refer to some of these, each with the columns that do. */
function referringTo(registry: CollectionRegistry, gone: DeletedRows): Referring[] {
  const found = new Map<StoredCollection, Referring['references'][number][]>();
  for (const target of gone.keys()) {
    for (const collection of registry.collectionsChangedWith(target)) {
      const references = collection.references.filter(({ table }) => table === target.table);
      push(found, collection, ...references.map((each) => ({ ...each, target })));
    }
  }
  // Deleted rows come first: the log would lose more of them than of those that stay.
  return [...found]
    .map(([collection, references]) => ({ collection, references }))
    .toSorted((one, other) => Number(mayBeDeleted(other)) - Number(mayBeDeleted(one)));
}

function cascadedFrom(
  registry: CollectionRegistry,
  from: Iterable<StoredCollection>,
): ReadonlySet<StoredCollection> {
  const found = new Set<StoredCollection>();
  const ways = [...from];
  for (const target of ways) {
    for (const each of registry.collectionsChangedWith(target)) {
      const isDeleted = each.references.some(
        ({ table, onDelete }) => table === target.table && onDelete === 'CASCADE',
      );
      if (!isDeleted || found.has(each)) continue;
      found.add(each);
      ways.push(each);
    }
  }
  return found;
}
