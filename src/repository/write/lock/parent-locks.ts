import { DeadlockAhead } from '../../../database/retry-deadlock';
import type { CollectionRegistry } from '../../registry/registry';
import type { StoredCollection } from '../../registry/stored-collection';
import { SentItems } from '../plan/sent-items';

/** What a write sends to a collection. */
export interface SentPayloads {
  readonly collection: string;
  readonly payloads: readonly unknown[];
}

/** How many times a transaction is tried, giving way to others, before it waits for its locks. */
const TRIES_WITHOUT_WAITING = 6;

/**
 * How a transaction locks the rows that its rules read. Normally it shares the lock with other transactions. Two
 * transactions that share a row and then both write it would deadlock, so a collection that the payloads also write is
 * locked exclusively. What hooks write is not known in advance: if they write a row that others share, the transaction
 * runs again with exclusive locks only.
 */
export class ParentLocks {
  private readonly shared = new Set<string>();
  private readonly written = new Set<string>();
  private readonly underWay = new Set<SentPayloads>();
  private refusal: DeadlockAhead | undefined;
  /** Collections in which a hook has set a field that needs the lock UPDATE (see `lockFor`): it is taken at once. */
  readonly raised: Set<StoredCollection>;
  private readonly tries: number;

  /** @param earlier those of the last try, where the transaction runs again */
  constructor(
    private readonly registry: CollectionRegistry,
    earlier?: ParentLocks,
  ) {
    this.raised = earlier?.raised ?? new Set();
    this.tries = (earlier?.tries ?? 0) + 1;
  }

  /** Whether the transaction runs again. */
  get isRepeated(): boolean {
    return this.tries > 1;
  }

  /** Whether it has given way so often that it now waits for every lock, and leaves deadlocks to the database. */
  get waits(): boolean {
    return this.tries > TRIES_WITHOUT_WAITING;
  }

  /** Call before a write. Its payloads are looked through only if a rule leads to other rows. */
  begin(sent: SentPayloads): void {
    this.underWay.add(sent);
  }

  /** Call after it: what it has written is locked. */
  end(sent: SentPayloads): void {
    this.underWay.delete(sent);
  }

  /** Call when rows of the collection are locked since rules lead to them. */
  take({ name }: StoredCollection): 'SHARE' | 'NO KEY UPDATE' {
    for (const sent of this.underWay) this.note(sent);
    this.underWay.clear();
    if (this.isRepeated || this.written.has(name)) return 'NO KEY UPDATE';
    this.shared.add(name);
    return 'SHARE';
  }

  /** Whether the transaction may share rows of the collection with others, so that it must not wait to write them. */
  mayShare({ name }: StoredCollection): boolean {
    return this.shared.has(name);
  }

  /** Why the transaction must run again, even if a hook has caught the error. */
  get givenUp(): DeadlockAhead | undefined {
    return this.refusal;
  }

  /** @param cause the error of a lock that was not to be had at once, or of a link that another transaction has made */
  giveUp(cause: unknown): DeadlockAhead {
    return (this.refusal ??= new DeadlockAhead('Others share a row that is to be written', {
      cause,
    }));
  }

  private note({ collection, payloads }: SentPayloads): void {
    const sent = new SentItems(this.registry, () => true);
    for (const payload of payloads) sent.addNested(collection, payload, 0);
    for (const [name, items] of sent.items) {
      const { key } = this.registry.table(name);
      const isLink = (item: object): boolean => Object.keys(item).every((field) => field === key);
      if (!items.every(isLink)) this.written.add(name);
    }
  }
}
