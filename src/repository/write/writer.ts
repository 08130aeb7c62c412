import type { Caller } from '../../engine';
import type { Change, LogEntry } from '../hooks';
import { absent, RelatedRows } from '../read/related-rows';
import { systemCaller } from '../system-caller';
import type { Key, RelatedWriter, SystemHandle, TransactionContext } from '../write-context';
import type { WriteRequest } from './collection-write';
import { HandleTurns } from './handle-turns';
import type { Plan, Update } from './plan/plan';
import { NestedItems } from './plan/nested-items';
import { Planner } from './plan/planner';
import { parseKeys } from '../registry/parse-key';
import type { SentPayloads } from './lock/parent-locks';
import type { SoleRow } from './store/sole-row';
import { PlanRun } from './store/run-plan';
import { withRedactedErrors } from './judge/redact-names';
import { beginState, type TransactionState, type WriteSetting } from './transaction-state';

/** How many writes by hooks may trigger one another. */
const MAX_CHAIN = 5;

/** In whose name a writer writes, and the chain of writes that led to it through hooks. */
interface Author {
  readonly caller: Caller;
  readonly chain: readonly string[];
  readonly nested: NestedItems;
  /** A hook that writes as the system and as the caller does so in turns: each write is judged separately. */
  readonly turns: HandleTurns;
  /** The caller for whom the system writes. */
  readonly requester?: Caller;
}

type Begun = Pick<Author, 'caller' | 'chain'> & Pick<TransactionState, 'tx' | 'parentLocks'>;

/**
 * The writes of one transaction in one name, to any number of collections. Each is planned as a whole and then
 * executed; after the last one, everything that was written is judged. Its hooks have writers of their own.
 */
export class Writer implements RelatedWriter {
  private readonly request: WriteRequest;
  private readonly runs: PlanRun;

  private constructor(
    private readonly shared: TransactionState,
    private readonly author: Author,
  ) {
    const { tx, registry, hooksOf, commitHooks, beforeBudget, storedBudget, parentLocks, changes } =
      shared;
    const { caller, chain, turns, requester } = author;
    this.request = {
      caller,
      tx,
      registry,
      hooksOf,
      commitHooks,
      beforeBudget,
      storedBudget,
      parentLocks,
      turns,
      ...(requester && { requester }),
      byHook: chain.length > 0,
      changes,
      log: shared.log.by(caller.system ?? null),
      contextOf: (cause) =>
        new Writer(shared, { ...author, chain: [...chain, cause], turns: new HandleTurns() })
          .context,
    };
    this.runs = new PlanRun(this.request, shared);
  }

  /** @param chain the writes that led to the transaction, where hooks began it */
  static begin(setting: WriteSetting, { caller, tx, chain, parentLocks }: Begun): Writer {
    const author = { caller, chain, nested: new NestedItems(), turns: new HandleTurns() };
    return new Writer(beginState(setting, tx, parentLocks), author);
  }

  /** Why the transaction must run again, if it must. */
  get givenUp(): Error | undefined {
    return this.shared.parentLocks.givenUp;
  }

  /** What was written in the transaction, in any name, in order. */
  get changes(): readonly Change[] {
    return this.shared.changes;
  }

  /** The same row by row. */
  get entries(): readonly LogEntry[] {
    return this.shared.log.entries;
  }

  /** The entries that are still to be written to the log. */
  get unrecorded(): readonly LogEntry[] {
    return this.shared.log.unrecorded;
  }

  /** Collections of which more rows were affected than the entries list. */
  get unlisted(): readonly string[] {
    return [...this.shared.log.unlisted].map(({ name }) => name);
  }

  /** What code in this transaction works with. */
  get context(): TransactionContext {
    const { shared, author } = this;
    const { tx } = shared;
    return {
      caller: author.caller,
      tx,
      write: this,
      read: new RelatedRows(author, shared, tx),
      system: (reason) => this.asSystem(reason),
    };
  }

  /** @param sole for a single payload, with no write after it */
  create(collection: string, payloads: readonly unknown[], sole?: SoleRow): Promise<Key[]> {
    const plan: Planned = (planner) => planner.create(collection, payloads);
    return this.run('create', { collection, payloads }, plan, asKeys, sole);
  }

  update(collection: string, keys: readonly Key[], payload: unknown): Promise<Key[]> {
    const plan: Planned = (planner) =>
      planner.update(collection, [{ keys: this.keysOf(collection, keys), payload }]);
    return this.run('update', { collection, payloads: [payload] }, plan, asKeys);
  }

  /**
   * @param updates of keys that are parsed already
   * @param sole for a single row, with no write after it
   */
  updateEach(collection: string, updates: readonly Update[], sole?: SoleRow): Promise<Key[]> {
    const payloads = updates.map(({ payload }) => payload);
    const plan: Planned = (planner) => planner.update(collection, updates);
    return this.run('update', { collection, payloads }, plan, asKeys, sole);
  }

  delete(collection: string, keys: readonly Key[]): Promise<void> {
    const plan: Planned = (planner) => planner.delete(collection, this.keysOf(collection, keys));
    return this.run('delete', { collection, payloads: [] }, plan, () => undefined);
  }

  /**
   * Judges everything that was written in the transaction, on the rows as they are now; nothing is written after it.
   * @throws also the error of a failed write, even if that was caught
   */
  async judge(): Promise<void> {
    this.shared.pendingWrites.end();
    await this.runs.judge();
  }

  private asSystem(reason: string): SystemHandle {
    const { shared, author } = this;
    const caller = systemCaller(shared.registry, reason, author.caller.identity.now);
    const own = { caller, nested: new NestedItems(), requester: author.requester ?? author.caller };
    const { read, write } = new Writer(shared, { ...author, ...own }).context;
    return { read, write };
  }

  /** Code of a team may pass on what a client sent. */
  private keysOf(collection: string, keys: readonly Key[]): Key[] {
    return parseKeys(this.shared.registry.table(collection), keys);
  }

  /** @throws an Error, since it is not the caller's fault, where hooks keep triggering one another */
  private plan(action: string, collection: string): Planner {
    const { chain, caller, nested } = this.author;
    if (chain.length > MAX_CHAIN) {
      const links = [...chain, `${action} ${collection}`].join(' → ');
      throw new Error(`Hooks trigger one another more than ${MAX_CHAIN} deep: ${links}`);
    }
    if (!this.shared.registry.get(collection)) throw absent(caller, collection);
    return new Planner(this.request, nested);
  }

  private run<T>(
    action: string,
    sent: SentPayloads,
    planned: Planned,
    answer: (keys: readonly Key[]) => T,
    sole?: SoleRow,
  ): Promise<T> {
    const { pendingWrites, parentLocks } = this.shared;
    return pendingWrites.run((storing) =>
      this.author.turns.take(() =>
        withRedactedErrors(this.request, sent.collection, async () => {
          parentLocks.begin(sent);
          try {
            const plan = await planned(this.plan(action, sent.collection));
            storing();
            return answer(await this.runs.run({ ...plan, ...(sole && { sole }) }));
          } finally {
            parentLocks.end(sent);
          }
        }),
      ),
    );
  }
}

type Planned = (planner: Planner) => Promise<Plan>;

const asKeys = (keys: readonly Key[]): Key[] => [...keys];
