import type { Caller, Cell } from '../engine';
import type { Tx } from '../database/database';
import type { RawQuery } from './query/query';
import type { Row } from './read/row-reader';
import type { Item } from './typed/entity-types';
import type { AggregateQuery, Query } from './typed/query-types';

/** The fields of one item as they were sent. */
export type Payload = Readonly<Record<string, unknown>>;
/** The stored fields of one item, checked: what an insert or update sets. */
export type Values = ReadonlyMap<string, Cell>;
/** A primary key: a number for an integer key; a text for any other, such as a UUID or a bigint (`'24'`). */
export type Key = string | number;

/** An entity class: with it the compiler checks the query, and knows what is answered. */
type EntityOf<E extends object> = new () => E;

/**
 * Reads rows inside a transaction, as the caller or as the system. Queries, limits and the default `limit` are those of
 * the API; what the caller may not see is left out or null.
 *
 *     await read.list(Invoice, { filter: { status: { _eq: 'draft' } }, fields: ['number'], limit: -1 });
 *     await read.one('invoices', 7, { fields: ['number', 'lines.price'] });
 */
export interface RelatedReader {
  /**
   * @returns the rows that the query finds; of a query with `aggregate` its groups
   * @throws Forbidden where the caller may read nothing of the collection; InvalidQuery
   */
  list<E extends object>(entity: EntityOf<E>, query?: Query<E>): Promise<readonly Item<E>[]>;
  list<E extends object>(entity: EntityOf<E>, query: AggregateQuery<E>): Promise<readonly Row[]>;
  list(collection: string, query?: RawQuery): Promise<readonly Row[]>;
  /**
   * @returns the row with the key
   * @throws Forbidden where there is no such row, or the caller may not see it; InvalidQuery
   */
  one<E extends object>(entity: EntityOf<E>, key: Key, query?: Query<E>): Promise<Item<E>>;
  one(collection: string, key: Key, query?: RawQuery): Promise<Row>;
}

/**
 * Writes rows inside a transaction, as the caller or as the system. Payloads are those of the API, nested ones too;
 * hooks run, constraints hold, and the activity log notes the change. All methods throw what the API would answer, such
 * as Forbidden, InvalidPayload or FailedValidation. Await each: a write that failed while it was stored fails the whole
 * transaction.
 *
 *     const [key] = await write.create('invoices', [{ number: 'A-1', lines: [{ price: '2.50' }] }]);
 *     await write.update('invoices', [key], { status: 'issued' });
 */
export interface RelatedWriter {
  /**
   * Creates one row for each payload, all or none.
   * @returns the keys, in the order of the payloads
   */
  create(collection: string, payloads: readonly unknown[]): Promise<Key[]>;
  /**
   * Gives all these rows the same values, all or none.
   * @returns the keys of the rows
   * @throws Forbidden where one of the rows does not exist, or the caller may not update it
   */
  update(collection: string, keys: readonly Key[], payload: unknown): Promise<Key[]>;
  /**
   * Deletes the rows, all or none.
   * @throws Forbidden where one of the rows does not exist, or the caller may not delete it; InvalidForeignKey where a
   * row that stays refers to one of them
   */
  delete(collection: string, keys: readonly Key[]): Promise<void>;
}

/** Reads and writes as the system: permission rules do not apply. */
export interface SystemHandle {
  readonly read: RelatedReader;
  readonly write: RelatedWriter;
}

/** All access to the database inside one transaction. When the transaction has ended, every call is refused. */
export interface TransactionContext {
  /** The caller whose rules `read` and `write` follow. */
  readonly caller: Caller;
  /** SQL, in the transaction. */
  readonly tx: Tx;
  /** Reads what the caller may see. */
  readonly read: RelatedReader;
  /** Writes as the caller, under their rules. */
  readonly write: RelatedWriter;
  /**
   * The same as the system, in the same transaction: permission rules do not apply, nor the check that no one gains
   * rights by a write. Hooks, constraints and validation of fields do.
   * @param reason why, noted in the activity log with each write, along with the request's user
   */
  readonly system: (reason: string) => SystemHandle;
}

/** A row as it is stored: its fields in canonical form, as in `Values`, without concealed ones. */
export type RowBefore = Readonly<Record<string, Cell>>;

/**
 * Looks something up for all rows of a write.
 * @param keys of all rows that the write updates or deletes; none of new rows
 */
export type LookUp<T> = (keys: readonly Key[], context: TransactionContext) => T | Promise<T>;

/** What a hook in the transaction is given: the caller, the rows, and reads and writes in the same transaction. */
export interface WriteContext extends TransactionContext {
  /** The write that the hook runs for. */
  readonly action: 'create' | 'update' | 'delete';
  /** Whether another hook makes that write, by its `write` or `system`; false for what the request itself writes. */
  readonly byHook: boolean;
  /** Keys of the rows that the hook runs for; none while a new row has no key yet. */
  readonly keys: readonly Key[];
  /**
   * The rows as they were before they were updated or deleted, in the order of the keys; none of new rows. They are
   * read at the first call, once for all hooks; after the write only if a hook called it before, or has `needsBefore`.
   * @throws InvalidPayload where all rows that one request asks for are more than 33,554,432 characters
   */
  readonly before: () => Promise<readonly RowBefore[]>;
  /**
   * Looks something up once for all rows of the write, though the hook runs for each payload of a list.
   * @param lookUp the same function each time, not one that each call of the hook makes. It is called again only when
   * something has been written since, except by `tx`
   */
  readonly once: <T>(lookUp: LookUp<T>) => Promise<T>;
}

/** What `beforeCreate` is given: a `WriteContext` that may also set fields. */
export interface PayloadContext extends WriteContext {
  /**
   * Sets fields of the row (or of all rows of an update that gives them the same values), over what was sent. The
   * caller needs no grant for them; `validation` and a create's `permissions` judge them. A relation is set by its key;
   * nothing is nested. Hooks that run later find the values in the payload.
   */
  readonly set: (values: Payload) => void;
}

/** What `beforeUpdate` is given: a `PayloadContext` that also says whether `prepareUpdate` has run. */
export interface UpdateContext extends PayloadContext {
  /**
   * Whether `prepareUpdate` has run for the payload: where the request is for this one item by its key. It has not
   * where the item is one of several, is nested in another, or is written by a hook.
   */
  readonly prepared: boolean;
}

/** What `afterCommit` is given; the transaction is over. */
export interface AfterCommitContext {
  /** The caller of the request. */
  readonly caller: Caller;
  /** Reads and writes as the system; each write is a transaction of its own. @param reason why, for the activity log */
  readonly system: (reason: string) => SystemHandle;
}
