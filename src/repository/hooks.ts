import type { Cell, Caller } from '../engine';
import type { Queries } from '../database/database';

/** The fields of one item as they were sent. */
export type Payload = Readonly<Record<string, unknown>>;
/** The stored fields of one item, checked: what an insert or update sets. */
export type Values = ReadonlyMap<string, Cell>;
export type Key = string | number;

type Awaitable<T> = T | Promise<T>;

/** In whose name and in which transaction a hook runs. A hook reads and writes through `tx` alone. */
export interface WriteContext {
  readonly caller: Caller;
  readonly tx: Queries;
  /** Writes to other collections in the caller's name, under their rules, in the same transaction. */
  readonly write: RelatedWriter;
}

export interface UpdateContext extends WriteContext {
  /**
   * Whether `prepareUpdate` has seen the payload: the request names this one item by its key. It has not where the item
   * is one of several or nested in another, nor where a hook writes it.
   */
  readonly prepared: boolean;
}

export interface RelatedWriter {
  /** @returns the keys, in the order of the payloads */
  create(collection: string, payloads: readonly unknown[]): Promise<Key[]>;
  update(collection: string, keys: readonly Key[], payload: unknown): Promise<Key[]>;
  delete(collection: string, keys: readonly Key[]): Promise<void>;
}

/**
 * What a collection does beside storing rows. Everything but `prepareUpdate` and `afterCommit` runs in the write's
 * transaction. An error refuses the whole request, unless it comes after the commit.
 */
export interface CollectionHooks {
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
  /** Sees the payload as it was sent and may change it. What it returns is checked like any payload. */
  beforeCreate?(payload: Payload, context: WriteContext): Awaitable<Payload>;
  beforeUpdate?(payload: Payload, keys: readonly Key[], context: UpdateContext): Awaitable<Payload>;
  beforeDelete?(keys: readonly Key[], context: WriteContext): Awaitable<void>;
  /**
   * Runs when the log knows which other rows are deleted or changed with these: the place to do by several statements
   * what the database would do to very many of them by one, and to do nothing else.
   */
  beforeCascade?(keys: readonly Key[], context: WriteContext): Awaitable<void>;
  /** Turns checked values into what is stored, as a password into its hash; rules have seen the values as sent. */
  toStored?(values: Values, context: WriteContext): Awaitable<Values>;
  afterCreate?(keys: readonly Key[], context: WriteContext): Awaitable<void>;
  afterUpdate?(keys: readonly Key[], context: WriteContext): Awaitable<void>;
  afterDelete?(keys: readonly Key[], context: WriteContext): Awaitable<void>;
  /** Once the change is there for everybody. An error here is logged and refuses nothing. */
  afterCommit?(change: Change): Awaitable<void>;
}

/** Whose request it is, when everything is written and the transaction is about to end. */
export interface CommitContext extends Pick<WriteContext, 'caller' | 'tx'> {
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
}

/** What was written of one row. */
export interface LogEntry {
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
