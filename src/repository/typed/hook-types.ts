import type { Caller, Cell } from '../../engine';
import type { Change, CollectionHooks as UntypedHooks } from '../hooks';
import type { Key } from '../write-context';
import type * as untyped from '../write-context';
import type { Names, Sent, Stored, Typed, Untyped } from './entity-types';

/** The stored fields of one item after all checks: what the INSERT or UPDATE will set, by field name. */
export type Values<E = Untyped> = ReadonlyMap<Typed<E, string, Names<E>>, Cell>;

/**
 * A row as it is stored, by field name: a moment as text, a relation as its key. Concealed fields, such as passwords,
 * are left out.
 */
export type RowBefore<E = Untyped> = Typed<
  E,
  untyped.RowBefore,
  { readonly [K in keyof Stored<E>]: Stored<E>[K] extends Cell | undefined ? Stored<E>[K] : Cell }
>;

/** What a hook in the transaction is given: the caller, the rows, and reads and writes in the same transaction. */
export interface WriteContext<E = Untyped> extends Omit<untyped.WriteContext, 'before'> {
  /**
   * The rows as they were before they were updated or deleted, in the order of `keys`; of new rows none. An `after`
   * hook gets them only where `needsBefore` is true or some hook asked before the write.
   * @throws InvalidPayload where all rows that one request asks for are more than 33,554,432 characters
   */
  readonly before: () => Promise<readonly RowBefore<E>[]>;
}

/** What `beforeCreate` is given: a `WriteContext` that may also set fields. */
export interface PayloadContext<E = Untyped> extends Omit<
  untyped.PayloadContext,
  'before' | 'set'
> {
  readonly before: WriteContext<E>['before'];
  /**
   * Sets fields of the row (or of all rows of an update that gives them the same values), over what was sent. The
   * caller needs no grant for them; validation rules and bounds still hold. A relation is set by its key; nothing is
   * nested. Hooks that run later find the values in the payload.
   *
   *     context.set({ slug: slugOf(payload.title) });
   */
  readonly set: (values: Stored<E>) => void;
}

/** What `beforeUpdate` is given: a `PayloadContext` that also says whether `prepareUpdate` has run. */
export interface UpdateContext<E = Untyped>
  extends PayloadContext<E>, Pick<untyped.UpdateContext, 'prepared'> {}

type Awaitable<T> = T | Promise<T>;

/**
 * What a collection does besides storing rows, in a provider with `@HooksOf(Invoice)` that
 * `implements CollectionHooks<Invoice>`; every method is optional. Hooks run on each write of the collection: over REST
 * and GraphQL, nested in another item, by other hooks and by the system, for administrators too.
 *
 * `beforeCreate` to `afterDelete` run inside the write's transaction and use its `tx` alone. An error in one of them
 * refuses the whole request and undoes it: an error of `defineError` or one of Nest's exceptions is answered as such,
 * anything else as an internal error (500). Where the database aborts the transaction because of a deadlock or a
 * serialization failure, it is begun again, up to four times in all, and these hooks run again; so they do once where
 * another transaction has made a link that this one is to make. So what cannot be undone, such as sending a mail or
 * calling another service, belongs in `afterCommit`. What a hook writes runs the hooks of that collection; such a chain
 * may be five deep.
 *
 * Several hooks of one collection run one after another. `prepare…` and `before…`, `defaults` and `toStored`: a team's
 * first, last those of the module that registers the collection; `after…` in the opposite order.
 *
 * A parameter typed `WriteContext<Invoice>` is checked against the entity, one typed `WriteContext` is not.
 */
export interface CollectionHooks<E = Untyped> extends Omit<
  UntypedHooks,
  | ('required' | 'prepare' | 'prepareUpdate' | 'beforeCreate' | 'beforeUpdate' | 'toStored')
  | ('defaults' | 'beforeDelete' | 'beforeCascade' | 'afterCreate' | 'afterUpdate' | 'afterDelete')
> {
  /**
   * True: `context.before()` of `afterUpdate` and `afterDelete` gives the old rows. It costs each update a round trip,
   * since rows are read before they are written. Not needed where a `before` hook has asked for them.
   */
  readonly needsBefore?: boolean;
  /**
   * Read when a new row is about to be stored, and where fields are described to callers who may create.
   * @returns the fields that it must have besides those that the database requires; a preset or a hook may give them.
   * Each that is missing is answered as FailedValidation of type `required`
   */
  required?(caller: Caller): readonly Typed<E, string, Names<E>>[];
  /**
   * Runs before the transaction, with what a request sends for rows of this collection, nested ones too: the place for
   * slow work. Nothing of it has been checked yet, not even whether the caller may write it, so do not throw because
   * of what was sent.
   * @param payloads as sent, and so of any shape; do not change them
   */
  prepare?(payloads: readonly Sent<E>[], caller: Caller): Awaitable<void>;
  /**
   * Runs before the transaction of an update of one item by its key (`PATCH /items/invoices/7`), and before `prepare`:
   * the place for slow work, and for what must be kept even if the update is refused. An error refuses the request.
   * @returns the payload to go on with
   */
  prepareUpdate?(payload: Sent<E>, key: Key, caller: Caller): Awaitable<Sent<E>>;
  /**
   * Runs in the transaction, for each new row, with the payload as it was sent; its values have not been checked yet.
   * May throw to refuse the request.
   * @returns the payload to go on with. It is checked like any payload, against what the caller may write; fields that
   * the caller need not be granted are set with `context.set`
   */
  beforeCreate?(
    payload: Sent<E>,
    context: PayloadContext<E> & untyped.PayloadContext,
  ): Awaitable<Sent<E>>;
  /**
   * Runs in the transaction, for each payload of an update, with the payload as it was sent; the rows are locked. May
   * throw to refuse the request.
   * @param keys of the rows that get this payload: one, or several that are given the same values
   * @returns the payload to go on with, checked as that of `beforeCreate`
   */
  beforeUpdate?(
    payload: Sent<E>,
    keys: readonly Key[],
    context: UpdateContext<E> & untyped.UpdateContext,
  ): Awaitable<Sent<E>>;
  /**
   * Runs in the transaction, for each new row, after `beforeCreate`.
   * @returns values for fields that neither the payload nor a preset sets; like those of `context.set`, the caller
   * needs no grant for them
   */
  defaults?(
    payload: Sent<E>,
    context: WriteContext<E> & untyped.WriteContext,
  ): Awaitable<Stored<E>>;
  /**
   * Runs in the transaction before rows are deleted, once for all rows of one write. May throw to refuse the request.
   */
  beforeDelete?(
    keys: readonly Key[],
    context: WriteContext<E> & untyped.WriteContext,
  ): Awaitable<void>;
  /**
   * Runs in the transaction after `beforeDelete`, when the activity log knows which other rows are deleted or changed
   * along with these. For very many of those: do here, in several statements, what the database would do in one, and
   * nothing else.
   */
  beforeCascade?(
    keys: readonly Key[],
    context: WriteContext<E> & untyped.WriteContext,
  ): Awaitable<void>;
  /**
   * Runs in the transaction when the new rows, and what is nested in them, are stored, once for all rows of one write.
   * May write more, or throw to refuse the request. What rules demand of the rows is judged at the end of the
   * transaction.
   */
  afterCreate?(
    keys: readonly Key[],
    context: WriteContext<E> & untyped.WriteContext,
  ): Awaitable<void>;
  /** The same for updated rows; `context.before()` gives the old ones where `needsBefore` is true. */
  afterUpdate?(
    keys: readonly Key[],
    context: WriteContext<E> & untyped.WriteContext,
  ): Awaitable<void>;
  /** The same for deleted rows; `context.before()` gives them where `needsBefore` is true. */
  afterDelete?(
    keys: readonly Key[],
    context: WriteContext<E> & untyped.WriteContext,
  ): Awaitable<void>;
  /**
   * Runs in the transaction, for each row that is written, when its values have been checked. Rules judge the values as
   * they were before, not what this returns.
   * @param values all that will be stored: sent, preset and set by hooks
   * @returns what is stored instead, such as a password's hash
   */
  toStored?(
    values: Values<E>,
    context: WriteContext<E> & untyped.WriteContext,
  ): Awaitable<Values<E>>;
  /**
   * Runs once for each change after the commit, when every other request sees it: the place for mails and calls of
   * other services. No answer waits for it; closing the application does, for a few seconds. An error is logged, undoes
   * nothing and stops no other hook. It is not repeated, and is lost where the process ends before it has run.
   */
  afterCommit?(change: Change, context: untyped.AfterCommitContext): Awaitable<void>;
}
