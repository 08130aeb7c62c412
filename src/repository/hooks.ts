import type { Action, Caller } from '../engine';
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

type Awaitable<T> = T | Promise<T>;

/**
 * Hooks as the repository calls them, without an entity's types. What each method promises is written once, at the
 * typed `CollectionHooks` of `typed/hook-types`, which teams implement.
 */
export interface CollectionHooks {
  readonly needsBefore?: boolean;
  required?(caller: Caller): readonly string[];
  prepare?(payloads: readonly Payload[], caller: Caller): Awaitable<void>;
  prepareUpdate?(payload: Payload, key: Key, caller: Caller): Awaitable<Payload>;
  beforeCreate?(payload: Payload, context: PayloadContext): Awaitable<Payload>;
  beforeUpdate?(payload: Payload, keys: readonly Key[], context: UpdateContext): Awaitable<Payload>;
  defaults?(payload: Payload, context: WriteContext): Awaitable<Payload>;
  beforeDelete?(keys: readonly Key[], context: WriteContext): Awaitable<void>;
  beforeCascade?(keys: readonly Key[], context: WriteContext): Awaitable<void>;
  toStored?(values: Values, context: WriteContext): Awaitable<Values>;
  afterCreate?(keys: readonly Key[], context: WriteContext): Awaitable<void>;
  afterUpdate?(keys: readonly Key[], context: WriteContext): Awaitable<void>;
  afterDelete?(keys: readonly Key[], context: WriteContext): Awaitable<void>;
  afterCommit?(change: Change, context: AfterCommitContext): Awaitable<void>;
}

/** A request whose writes are done, just before the commit. */
export interface CommitContext extends Pick<TransactionContext, 'caller' | 'tx'> {
  /** What was written, row by row. */
  readonly entries: readonly LogEntry[];
  /** The entries that no statement has written to the log yet. */
  readonly unrecorded: readonly LogEntry[];
  /** Collections of which more rows were deleted, along with others, than `entries` lists. */
  readonly unlisted: readonly string[];
}

/** Runs once for everything that a request writes, in all collections. */
export interface CommitHooks {
  /**
   * Runs in the write's transaction, once every row is stored and has been judged. An error refuses the whole request.
   * @param changes in order, with nested writes and those of hooks; never empty
   */
  beforeCommit(changes: readonly Change[], context: CommitContext): Awaitable<void>;
  /**
   * Whether `beforeCommit` may refuse such a change, or write anything because of it; without this method it may. Where
   * none may, a change that takes one statement is committed by it, and `beforeCommit` runs afterwards.
   */
  concerns?(collection: string, action: Action): boolean;
  /**
   * Implemented by what keeps the log: writes the entry about a row in the statement that stores the row.
   * @returns undefined where entries of this caller can only be written before the commit
   */
  entryCompiler?(caller: Caller): EntryCompiler | undefined;
}

export interface EntryCompiler {
  /** What the log stores about the caller. */
  readonly actor: readonly unknown[];
  /** The types of these values: like the compiled text, the same for all callers. */
  readonly casts: readonly string[];
  /**
   * @param actor the parameters with those values
   * @returns an INSERT
   */
  readonly compile: (entry: EntrySql, actor: readonly string[]) => string;
}

/** A `LogEntry` as SQL of the types that the log has. */
export interface EntrySql {
  /** FROM, with the condition under which there is an entry. */
  readonly from: string;
  readonly action: string;
  readonly collection: string;
  readonly item: string;
  readonly fields: string;
  readonly cut: string;
  readonly before: string;
  readonly after: string;
  readonly system: string;
}

/** One write that was committed: some rows of one collection, which were created, updated or deleted together. */
export interface Change {
  /** The collection's name. */
  readonly collection: string;
  readonly action: 'create' | 'update' | 'delete';
  /** Keys of the rows; never empty. */
  readonly keys: readonly Key[];
  /** The reason that was given to `system(…)`, for a write as the system; null for a write as the caller. */
  readonly system: string | null;
}

/** What was written to one row. */
export interface LogEntry extends Pick<Change, 'system'> {
  readonly action: Change['action'];
  readonly collection: string;
  readonly key: Key;
  /** The fields that were set; for an update those that it changed, for a delete all. */
  readonly fields: readonly string[];
  /** The replaced values; null for a create, and where too much was written to store them. */
  readonly before: LoggedValues | null;
  readonly after: LoggedValues | null;
  /** The fields whose values are stored only in part, or not at all. */
  readonly cut: readonly string[];
}

/** By field; a concealed value is a mask of stars, as everywhere. */
export type LoggedValues = Readonly<Record<string, unknown>>;
