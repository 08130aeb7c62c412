import { Injectable } from '@nestjs/common';
import type { Queries } from '../database';
import type { Caller } from '../engine';
import type { Key, WriteContext } from '../repository';
import { type Level, readLevel } from './administrators';
import type { Fact } from './fact';
import { Facts } from './facts';

/** How guarded rows were before a transaction wrote them. */
export interface Snapshot {
  readonly facts: Map<string, Map<Key, Fact>>;
  /** How administrators stood before anything was written that makes one. */
  level?: Level;
}

/** Keeps how guarded rows were before the request wrote them, for as long as its transaction lasts. */
@Injectable()
export class Snapshots {
  private readonly taken = new WeakMap<Queries, Snapshot>();

  constructor(private readonly facts: Facts) {}

  of(tx: Queries): Snapshot {
    const known = this.taken.get(tx) ?? { facts: new Map<string, Map<Key, Fact>>() };
    this.taken.set(tx, known);
    return known;
  }

  async beforeUpdate(
    collection: string,
    keys: readonly Key[],
    { tx, caller }: WriteContext,
  ): Promise<void> {
    await this.keep(collection, tx, await this.facts.read(collection, tx, keys, caller));
  }

  async beforeDelete(
    collection: string,
    keys: readonly Key[],
    { tx, caller }: WriteContext,
  ): Promise<void> {
    await this.keep(collection, tx, await this.facts.readDoomed(collection, tx, keys, caller));
  }

  after(
    collection: string,
    tx: Queries,
    keys: readonly Key[],
    caller: Caller,
  ): Promise<readonly Fact[]> {
    return this.facts.read(collection, tx, keys, caller);
  }

  /** Of a row that is written twice its first state counts, and whatever exceeded the caller at either time. */
  private async keep(collection: string, tx: Queries, facts: readonly Fact[]): Promise<void> {
    const snapshot = this.of(tx);
    const known = snapshot.facts.get(collection) ?? new Map<Key, Fact>();
    snapshot.facts.set(collection, known);
    for (const fact of facts) {
      const first = known.get(fact.id) ?? fact;
      known.set(fact.id, { ...first, exceeds: first.exceeds || fact.exceeds });
    }
    if (snapshot.level === undefined && facts.some(({ administers }) => administers)) {
      snapshot.level = await readLevel(tx);
    }
  }
}
