import { Injectable } from '@nestjs/common';
import type { Queries } from '../database';
import type { Caller } from '../engine';
import type { Key, TransactionContext, WriteContext } from '../repository';
import { Administrators, type Levels } from './administrators';
import type { GuardedRow } from './guarded-row';
import { GuardedRows } from './guarded-rows';

/** The guarded rows as they were before the writes. */
interface Snapshot {
  readonly caller: Caller;
  readonly rows: Map<string, Map<Key, GuardedRow>>;
  /** New rows. */
  readonly created: Map<string, Set<Key>>;
  /** Rows, as `collection key`, judged before the system continued: they are read again after its writes. */
  readonly judged: Set<string>;
  /** Fields through which an administrator has been removed, among the rows judged so far. */
  readonly removals: string[];
  /** How many administrators there were before the first such write. */
  levels?: Levels;
}

interface Taken {
  own?: Snapshot;
  system?: Snapshot;
}

/**
 * Keeps guarded rows as they were before the request wrote them, while its transaction lasts: separately for writes in
 * the caller's name and writes of hooks as the system.
 */
@Injectable()
export class Snapshots {
  private readonly taken = new WeakMap<Queries, Taken>();

  constructor(
    private readonly guarded: GuardedRows,
    private readonly administrators: Administrators,
  ) {}

  of(tx: Queries, caller: Caller): Snapshot {
    const taken = this.taken.get(tx) ?? {};
    this.taken.set(tx, taken);
    const whose = caller.system === undefined ? 'own' : 'system';
    return (taken[whose] ??= {
      caller,
      rows: new Map(),
      created: new Map(),
      judged: new Set(),
      removals: [],
    });
  }

  /** For writes in the caller's name; undefined before the first. */
  own(tx: Queries): Snapshot | undefined {
    return this.taken.get(tx)?.own;
  }

  /** Reads the rows that a write updates, by key. */
  async read(
    collection: string,
    keys: readonly Key[],
    { tx, caller }: TransactionContext,
  ): Promise<ReadonlyMap<Key, GuardedRow>> {
    const rows = await this.guarded.read(collection, tx, keys, caller);
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** @param rows that are to be updated, as they are now */
  beforeUpdate(
    collection: string,
    rows: readonly GuardedRow[],
    { tx, caller }: WriteContext,
  ): Promise<void> {
    return this.keep(collection, tx, caller, rows);
  }

  async beforeDelete(
    collection: string,
    keys: readonly Key[],
    { tx, caller }: WriteContext,
  ): Promise<void> {
    const rows = await this.guarded.readBeforeDelete(collection, tx, keys, caller);
    await this.keep(collection, tx, caller, rows);
  }

  noteCreated(collection: string, keys: readonly Key[], { tx, caller }: WriteContext): void {
    const { created } = this.of(tx, caller);
    created.set(collection, new Set([...(created.get(collection) ?? []), ...keys]));
  }

  after(
    collection: string,
    tx: Queries,
    keys: readonly Key[],
    caller: Caller,
  ): Promise<readonly GuardedRow[]> {
    return this.guarded.read(collection, tx, keys, caller);
  }

  /** From now on the judged rows are compared with their present state. */
  async restart(tx: Queries, snapshot: Snapshot): Promise<void> {
    const { caller, rows, created, judged } = snapshot;
    for (const collection of new Set([...rows.keys(), ...created.keys()])) {
      const keys = writtenKeys(snapshot, collection);
      const now = await this.guarded.read(collection, tx, keys, caller);
      rows.set(collection, new Map(now.map((row) => [row.id, row])));
      for (const key of keys) judged.add(`${collection} ${key}`);
    }
    created.clear();
  }

  /**
   * For a row that is written twice, its first state counts, and anything that exceeded the caller's rights at either
   * time.
   */
  private async keep(
    collection: string,
    tx: Queries,
    caller: Caller,
    rows: readonly GuardedRow[],
  ): Promise<void> {
    const snapshot = this.of(tx, caller);
    const known = snapshot.rows.get(collection) ?? new Map<Key, GuardedRow>();
    snapshot.rows.set(collection, known);
    for (const row of rows) {
      const first = known.get(row.id) ?? row;
      known.set(row.id, { ...first, exceeds: first.exceeds || row.exceeds });
    }
    if (snapshot.levels === undefined && rows.some(({ administers }) => administers)) {
      snapshot.levels = await this.administrators.levels(tx, caller.identity.ip);
    }
  }
}

/** Rows of a collection that a snapshot knows of: new ones, and those that were looked at before they are written. */
export const writtenKeys = ({ rows, created }: Snapshot, collection: string): Key[] => [
  ...new Set([...(created.get(collection) ?? []), ...(rows.get(collection)?.keys() ?? [])]),
];
