import type { Caller, Cell } from '../engine';
import type { Tx } from '../database/database';
import type { RawQuery } from './query/query';
import type { Row } from './read/row-reader';
import type { Item } from './typed/entity-types';
import type { Query } from './typed/query-types';

/** The fields of one item as they were sent. */
export type Payload = Readonly<Record<string, unknown>>;
/** The stored fields of one item, checked: what an insert or update sets. */
export type Values = ReadonlyMap<string, Cell>;
export type Key = string | number;

/** A collection by its entity: what is read of it and written to it is checked by the entity's type. */
type EntityOf<E extends object> = new () => E;

/** Reads in a transaction, with the query language of the API and its bounds: where no `limit` is said, the API's own. */
export interface RelatedReader {
  /**
   * The rows that a query finds, or what it aggregates.
   * @throws Forbidden where nothing of the collection may be read; InvalidQuery
   */
  list<E extends object>(entity: EntityOf<E>, query?: Query<E>): Promise<readonly Item<E>[]>;
  list(collection: string, query?: RawQuery): Promise<readonly Row[]>;
  /** @throws Forbidden where there is no such row to be seen */
  one<E extends object>(entity: EntityOf<E>, key: Key, query?: Query<E>): Promise<Item<E>>;
  one(collection: string, key: Key, query?: RawQuery): Promise<Row>;
}

/** Writes in a transaction: payloads as the API takes them, nested ones too, with hooks, constraints and the log. */
export interface RelatedWriter {
  /** @returns the keys, in the order of the payloads */
  create(collection: string, payloads: readonly unknown[]): Promise<Key[]>;
  update(collection: string, keys: readonly Key[], payload: unknown): Promise<Key[]>;
  delete(collection: string, keys: readonly Key[]): Promise<void>;
}

/** Reads and writes of the service's own accord: no rules, and nobody is asked whether they gain. */
export interface SystemHandle {
  readonly read: RelatedReader;
  readonly write: RelatedWriter;
}

/** Everything that is done in one transaction goes through these. Once it has ended, all of them are refused. */
export interface TransactionContext {
  /** In whose name `read` and `write` are. */
  readonly caller: Caller;
  readonly tx: Tx;
  /** What the caller sees, in the transaction. */
  readonly read: RelatedReader;
  /** Writes in the caller's name, under their rules, in the same transaction. */
  readonly write: RelatedWriter;
  /**
   * The same as the system, in the same transaction: only rules and «nobody gains» are set aside.
   * @param reason stands in the log with all that is written, beside whose request it was
   */
  readonly system: (reason: string) => SystemHandle;
}

/** A row as it is stored: its fields in canonical form, as `Values` has them; no concealed ones. */
export type RowBefore = Readonly<Record<string, Cell>>;

/** In whose name, in which transaction and for which rows a hook runs. */
export interface WriteContext extends TransactionContext {
  readonly action: 'create' | 'update' | 'delete';
  /** Of the rows that it runs for; none while a new row has no key yet. */
  readonly keys: readonly Key[];
  /**
   * The rows as they were before they were updated or deleted, in the order of the keys; none of new rows. They are read
   * when somebody asks, once for all hooks; after the write only if somebody asked before, or `needsBefore` said so.
   * @throws InvalidPayload where all that one request asks for is more than 32 million characters
   */
  readonly before: () => Promise<readonly RowBefore[]>;
}

/** While what is to be stored is still being made up. */
export interface PayloadContext extends WriteContext {
  /**
   * Sets fields of the row that the payload is for (or rows, where several are updated alike), whatever was sent. They
   * are the hook's: the caller need not be granted them, while `validation` and a create's `permissions` judge them.
   * A foreign key is set by key; nothing is nested. Hooks that run later find them in the payload.
   */
  readonly set: (values: Payload) => void;
}

export interface UpdateContext extends PayloadContext {
  /**
   * Whether `prepareUpdate` has seen the payload: the request names this one item by its key. It has not where the item
   * is one of several or nested in another, nor where a hook writes it.
   */
  readonly prepared: boolean;
}

/** When the transaction is over. */
export interface AfterCommitContext {
  /** Whose request it was. */
  readonly caller: Caller;
  /** Acts as the system: each read and each write is a transaction of its own. */
  readonly system: (reason: string) => SystemHandle;
}
