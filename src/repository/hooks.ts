import type { Caller } from '../engine';
import type {
  AfterCommitContext,
  Key,
  Payload,
  PayloadContext,
  TransactionContext,
  UpdateContext,
  Values,
  WriteContext,
} from './write-context';

export type { Key, Payload, RelatedWriter, Values } from './write-context';

type Awaitable<T> = T | Promise<T>;

/**
 * What a collection does beside storing rows. Everything but `prepare`, `prepareUpdate` and `afterCommit` runs in the
 * write's transaction, and an error refuses the whole request. Where the database gave a transaction up because two
 * waited for each other (a deadlock), it is begun anew and all of these run again: what cannot be undone, as a mail or
 * another service's work, belongs into `afterCommit` or into a job. What a hook writes has hooks of its own: such a
 * chain is at most five deep.
 */
export interface CollectionHooks {
  /**
   * Rows are read before each update and delete, so that `afterUpdate` and `afterDelete` find them by `context.before`.
   * Hooks that ask for them earlier need not say so.
   */
  readonly needsBefore?: boolean;
  /** Fields that a create must carry beside those that the database demands; a preset that sets one carries it. */
  required?(caller: Caller): readonly string[];
  /**
   * Runs before the transaction, with what a request sends for rows of this collection, nested ones too: the place for
   * what is slow. Nothing of it has been checked yet, not even whether the caller may write any; it refuses nothing.
   */
  prepare?(payloads: readonly Payload[], caller: Caller): Awaitable<void>;
  /**
   * Runs before the transaction of an update that names its one item by key: the place for what is slow, and for what
   * must be kept even if the update is refused. What it returns is then the payload.
   */
  prepareUpdate?(payload: Payload, key: Key, caller: Caller): Awaitable<Payload>;
  /**
   * Sees the payload as it was sent and may change it. What it returns is checked like any payload: against what the
   * caller may write. Fields that are the hook's own affair it sets with `context.set`.
   */
  beforeCreate?(payload: Payload, context: PayloadContext): Awaitable<Payload>;
  beforeUpdate?(payload: Payload, keys: readonly Key[], context: UpdateContext): Awaitable<Payload>;
  /** Values of a new row for what neither the payload nor a preset sets; like those of `context.set` the hook's own. */
  defaults?(payload: Payload, context: WriteContext): Awaitable<Payload>;
  beforeDelete?(keys: readonly Key[], context: WriteContext): Awaitable<void>;
  /**
   * Runs when the log knows which other rows are deleted or changed with these: the place to do by several statements
   * what the database would do to very many of them by one, and to do nothing else.
   */
  beforeCascade?(keys: readonly Key[], context: WriteContext): Awaitable<void>;
  /**
   * Turns checked values of one row into what is stored, as a password into its hash; rules have seen the values as
   * sent. Values are all that will be stored: sent, preset, set by hooks.
   */
  toStored?(values: Values, context: WriteContext): Awaitable<Values>;
  afterCreate?(keys: readonly Key[], context: WriteContext): Awaitable<void>;
  afterUpdate?(keys: readonly Key[], context: WriteContext): Awaitable<void>;
  afterDelete?(keys: readonly Key[], context: WriteContext): Awaitable<void>;
  /**
   * Once the change is there for everybody. No answer waits for it; closing the application does, a few seconds. An
   * error is logged, refuses nothing and stops no other hook.
   */
  afterCommit?(change: Change, context: AfterCommitContext): Awaitable<void>;
}

/** Whose request it is, when everything is written and the transaction is about to end. */
export interface CommitContext extends Pick<TransactionContext, 'caller' | 'tx'> {
  /** What was written, row by row. */
  readonly entries: readonly LogEntry[];
  /** Collections of which more rows were deleted, with others, than the entries tell. */
  readonly unlisted: readonly string[];
}

/** What is done once for all that a request writes, whatever the collections. */
export interface CommitHooks {
  /**
   * Runs in the write's transaction, once every row is stored and has been judged. An error refuses the whole request.
   * @param changes in order, nested writes and those of hooks among them; never none
   */
  beforeCommit(changes: readonly Change[], context: CommitContext): Awaitable<void>;
}

export interface Change {
  readonly collection: string;
  readonly action: 'create' | 'update' | 'delete';
  readonly keys: readonly Key[];
  /** Why the system wrote it, of its own accord; null: it was written in the caller's name. */
  readonly system: string | null;
}

/** What was written of one row. */
export interface LogEntry extends Pick<Change, 'system'> {
  readonly action: Change['action'];
  readonly collection: string;
  readonly key: Key;
  /** Those that were set; of an update those that it changed, of a delete all. */
  readonly fields: readonly string[];
  /** The values that were replaced; null for a create, and where too much was written to keep them. */
  readonly before: LoggedValues | null;
  readonly after: LoggedValues | null;
  /** The fields of which only the beginning is kept, or nothing. */
  readonly cut: readonly string[];
}

/** By field; a concealed one is stars, as everywhere. */
export type LoggedValues = Readonly<Record<string, unknown>>;
