import { Injectable } from '@nestjs/common';
import type { Queries } from '../database';
import type { Caller } from '../engine';
import type { Key, WriteContext } from '../repository';
import { Administrators, type Levels } from './administrators';
import type { Fact } from './fact';
import { Facts } from './facts';

/** The guarded rows as they were before the writes. */
interface Snapshot {
  readonly caller: Caller;
  readonly facts: Map<string, Map<Key, Fact>>;
  /** New rows. */
  readonly created: Map<string, Set<Key>>;
  /** Rows, as `collection key`, judged before the system continued: their facts are from after its writes. */
  readonly judged: Set<string>;
  /** Fields through which an administrator has been removed, among the rows judged so far. */
  readonly deprived: string[];
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
    private readonly facts: Facts,
    private readonly administrators: Administrators,
  ) {}

  of(tx: Queries, caller: Caller): Snapshot {
    const taken = this.taken.get(tx) ?? {};
    this.taken.set(tx, taken);
    const whose = caller.system === undefined ? 'own' : 'system';
    return (taken[whose] ??= {
      caller,
      facts: new Map(),
      created: new Map(),
      judged: new Set(),
      deprived: [],
    });
  }

  /** For writes in the caller's name; undefined before the first. */
  own(tx: Queries): Snapshot | undefined {
    return this.taken.get(tx)?.own;
  }

  async beforeUpdate(
    collection: string,
    keys: readonly Key[],
    { tx, caller }: WriteContext,
  ): Promise<void> {
    const facts = await this.facts.read(collection, tx, keys, caller);
    await this.keep(collection, tx, caller, facts);
  }

  async beforeDelete(
    collection: string,
    keys: readonly Key[],
    { tx, caller }: WriteContext,
  ): Promise<void> {
    const facts = await this.facts.readBeforeDelete(collection, tx, keys, caller);
    await this.keep(collection, tx, caller, facts);
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
  ): Promise<readonly Fact[]> {
    return this.facts.read(collection, tx, keys, caller);
  }

  /** From now on the judged rows are compared with their present state. */
  async restart(tx: Queries, snapshot: Snapshot): Promise<void> {
    const { caller, facts, created, judged } = snapshot;
    for (const collection of new Set([...facts.keys(), ...created.keys()])) {
      const keys = writtenKeys(snapshot, collection);
      const now = await this.facts.read(collection, tx, keys, caller);
      facts.set(collection, new Map(now.map((fact) => [fact.id, fact])));
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
    facts: readonly Fact[],
  ): Promise<void> {
    const snapshot = this.of(tx, caller);
    const known = snapshot.facts.get(collection) ?? new Map<Key, Fact>();
    snapshot.facts.set(collection, known);
    for (const fact of facts) {
      const first = known.get(fact.id) ?? fact;
      known.set(fact.id, { ...first, exceeds: first.exceeds || fact.exceeds });
    }
    if (snapshot.levels === undefined && facts.some(({ administers }) => administers)) {
      snapshot.levels = await this.administrators.levels(tx, caller.identity.ip);
    }
  }
}

/** Rows of a collection that a snapshot knows of: new ones, and those that were looked at before they are written. */
export const writtenKeys = ({ facts, created }: Snapshot, collection: string): Key[] => [
  ...new Set([...(created.get(collection) ?? []), ...(facts.get(collection)?.keys() ?? [])]),
];
