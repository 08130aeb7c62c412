import { inTurns } from '../../common/next-turn';
import type { Key } from '../hooks';
import type { CollectionRegistry } from '../registry/registry';
import type { StoredCollection } from '../registry/stored-collection';
import type { ChangeLog } from './change-log';
import type { CollectionWrite } from './collection-write';
import { AT_ONCE } from './plan';
import {
  compileTouched,
  type Gone,
  mayGo,
  type Referring,
  type Touched,
  touchedOf,
  type TouchedRow,
} from './touched-sql';

/** Rows that are listed of all that one request's deletes touch by the way: as many as it may send. */
const MAX_TOUCHED = 2_500;
/** Deletes that lead to deletes that lead to deletes. */
const MAX_LEVELS = 20;

/**
 * What the database does by itself to other rows when some are deleted, by ON DELETE CASCADE and SET NULL. It is asked
 * for and locked before, by a statement for each level of references and none where there are none; beyond the bounds
 * the delete is carried out and the rest of its rows is not listed. Only rows of collections are, and what leads to
 * them by way of tables that are none is not followed.
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
    let next: Gone = new Map([[collection, keys]]);
    for (let level = 1; ; level++) {
      const referring = referringTo(registry, next);
      if (referring.length === 0) return touched;
      const found = level > MAX_LEVELS ? null : await touched.ask(scope, next, referring, level);
      if (found === null) return touched.stop(registry, next);
      next = found;
    }
  }

  /** To be called once the rows are deleted, so that they come before those that they took along. */
  async note(): Promise<void> {
    const { log, rows } = this;
    await inTurns([...rows.values()], AT_ONCE, ({ row, logged, fields }) => {
      if (fields === 'all') logged.noteDeleted(log, row);
      else logged.noteReleased(log, row, fields);
    });
  }

  /** @returns the rows that go, by whose keys the next level is found; null where there are too many */
  private async ask(
    { tx }: CollectionWrite,
    level: Gone,
    referring: readonly Referring[],
    depth: number,
  ): Promise<Gone | null> {
    const { log, rows } = this;
    if (log.touched >= MAX_TOUCHED) return null;
    // Of those that are known already some may come again.
    const limit = MAX_TOUCHED - log.touched + rows.size + 1;
    const { text, values } = compileTouched(referring, {
      ...{ level, gone: this.gone, limit, room: log.roomAt(depth) },
    });
    const found = await tx.query<TouchedRow>(text, values);
    const next = new Map<StoredCollection, Key[]>();
    const left = { out: found.length === limit };
    await inTurns(found, AT_ONCE, (each) => {
      const touched = touchedOf(referring, each);
      if (!touched) return;
      if (!this.add(touched)) left.out = true;
      else if (touched.fields === 'all') push(next, touched.collection, touched.row.key);
    });
    for (const [collection, keys] of next) push(this.gone, collection, ...keys);
    return left.out ? null : next;
  }

  /** A row that goes in one way goes; one that loses several references is one. */
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
    // At the end: after the row that it goes with.
    rows.delete(name);
    rows.set(name, touched);
    return true;
  }

  /** Of a collection of which more rows may go, none is known to stay. */
  private stop(registry: CollectionRegistry, from: Gone): this {
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

/** The collections that refer to some of these, each with the columns by which it does. */
function referringTo(registry: CollectionRegistry, gone: Gone): Referring[] {
  const found = new Map<StoredCollection, Referring['references'][number][]>();
  for (const target of gone.keys()) {
    for (const collection of registry.referring(target)) {
      const references = collection.references.filter(({ table }) => table === target.table);
      push(found, collection, ...references.map((each) => ({ ...each, target })));
    }
  }
  // What goes comes first: of it more would be lost than of what stays.
  return [...found]
    .map(([collection, references]) => ({ collection, references }))
    .toSorted((one, other) => Number(mayGo(other)) - Number(mayGo(one)));
}

function cascadedFrom(
  registry: CollectionRegistry,
  from: Iterable<StoredCollection>,
): ReadonlySet<StoredCollection> {
  const found = new Set<StoredCollection>();
  const ways = [...from];
  for (const target of ways) {
    for (const each of registry.referring(target)) {
      const goes = each.references.some(
        ({ table, onDelete }) => table === target.table && onDelete === 'CASCADE',
      );
      if (!goes || found.has(each)) continue;
      found.add(each);
      ways.push(each);
    }
  }
  return found;
}
