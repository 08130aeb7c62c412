import type { Caller, Cell } from '../../engine';
import type { CollectionHooks as UntypedHooks, Key } from '../hooks';
import type * as untyped from '../write-context';
import type { Names, Sent, Stored, Typed, Untyped } from './entity-types';

/** The stored fields of one item, checked: what an insert or update sets. */
export type Values<E = Untyped> = ReadonlyMap<Typed<E, string, Names<E>>, Cell>;

/** A row as it is stored: its fields in canonical form; no concealed ones. */
export type RowBefore<E = Untyped> = Typed<
  E,
  untyped.RowBefore,
  { readonly [K in keyof Stored<E>]: Stored<E>[K] extends Cell | undefined ? Stored<E>[K] : Cell }
>;

export interface WriteContext<E = Untyped> extends Omit<untyped.WriteContext, 'before'> {
  readonly before: () => Promise<readonly RowBefore<E>[]>;
}

export interface PayloadContext<E = Untyped> extends Omit<
  untyped.PayloadContext,
  'before' | 'set'
> {
  readonly before: WriteContext<E>['before'];
  readonly set: (values: Stored<E>) => void;
}

export interface UpdateContext<E = Untyped>
  extends PayloadContext<E>, Pick<untyped.UpdateContext, 'prepared'> {}

type Awaitable<T> = T | Promise<T>;

/**
 * Hooks of a collection, by its entity: `implements CollectionHooks<Invoice>`. Whoever asks for a
 * `WriteContext<Invoice>` has it checked, and whoever asks for a `WriteContext` has not.
 */
export interface CollectionHooks<E = Untyped> extends Omit<
  UntypedHooks,
  | ('required' | 'prepare' | 'prepareUpdate' | 'beforeCreate' | 'beforeUpdate' | 'toStored')
  | ('defaults' | 'beforeDelete' | 'beforeCascade' | 'afterCreate' | 'afterUpdate' | 'afterDelete')
> {
  /** Fields that a create must carry beside those that the database demands; a preset that sets one carries it. */
  required?(caller: Caller): readonly Typed<E, string, Names<E>>[];
  /**
   * Runs before the transaction, with what a request sends for rows of this collection, nested ones too: the place for
   * what is slow. Nothing of it has been checked yet, not even whether the caller may write any; it refuses nothing.
   */
  prepare?(payloads: readonly Sent<E>[], caller: Caller): Awaitable<void>;
  /**
   * Runs before the transaction of an update that names its one item by key: the place for what is slow, and for what
   * must be kept even if the update is refused. What it returns is then the payload.
   */
  prepareUpdate?(payload: Sent<E>, key: Key, caller: Caller): Awaitable<Sent<E>>;
  /** Sees the payload as it was sent and may change it. What it returns is checked like any payload. */
  beforeCreate?(
    payload: Sent<E>,
    context: PayloadContext<E> & untyped.PayloadContext,
  ): Awaitable<Sent<E>>;
  beforeUpdate?(
    payload: Sent<E>,
    keys: readonly Key[],
    context: UpdateContext<E> & untyped.UpdateContext,
  ): Awaitable<Sent<E>>;
  /** Values of a new row for what neither the payload nor a preset sets; like those of `context.set` the hook's own. */
  defaults?(
    payload: Sent<E>,
    context: WriteContext<E> & untyped.WriteContext,
  ): Awaitable<Stored<E>>;
  beforeDelete?(
    keys: readonly Key[],
    context: WriteContext<E> & untyped.WriteContext,
  ): Awaitable<void>;
  /**
   * Runs when the log knows which other rows are deleted or changed with these: the place to do by several statements
   * what the database would do to very many of them by one, and to do nothing else.
   */
  beforeCascade?(
    keys: readonly Key[],
    context: WriteContext<E> & untyped.WriteContext,
  ): Awaitable<void>;
  afterCreate?(
    keys: readonly Key[],
    context: WriteContext<E> & untyped.WriteContext,
  ): Awaitable<void>;
  afterUpdate?(
    keys: readonly Key[],
    context: WriteContext<E> & untyped.WriteContext,
  ): Awaitable<void>;
  afterDelete?(
    keys: readonly Key[],
    context: WriteContext<E> & untyped.WriteContext,
  ): Awaitable<void>;
  /** Turns checked values of one row into what is stored, as a password into its hash. */
  toStored?(
    values: Values<E>,
    context: WriteContext<E> & untyped.WriteContext,
  ): Awaitable<Values<E>>;
}
