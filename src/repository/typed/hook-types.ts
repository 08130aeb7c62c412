import type { Caller, Cell } from '../../engine';
import type { CollectionHooks as UntypedHooks, Key } from '../hooks';
import type { Names, Sent, Typed, Untyped } from './entity-types';

/** The stored fields of one item, checked: what an insert or update sets. */
export type Values<E = Untyped> = ReadonlyMap<Typed<E, string, Names<E>>, Cell>;

type Awaitable<T> = T | Promise<T>;
type Context<
  H extends 'beforeCreate' | 'beforeUpdate' | 'toStored',
  At extends number,
> = Parameters<NonNullable<UntypedHooks[H]>>[At];

/** Hooks of a collection, by its entity: `implements CollectionHooks<Invoice>`. */
export interface CollectionHooks<E = Untyped> extends Omit<
  UntypedHooks,
  'required' | 'prepare' | 'prepareUpdate' | 'beforeCreate' | 'beforeUpdate' | 'toStored'
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
  beforeCreate?(payload: Sent<E>, context: Context<'beforeCreate', 1>): Awaitable<Sent<E>>;
  beforeUpdate?(
    payload: Sent<E>,
    keys: readonly Key[],
    context: Context<'beforeUpdate', 2>,
  ): Awaitable<Sent<E>>;
  /** Turns checked values of one row into what is stored, as a password into its hash. */
  toStored?(values: Values<E>, context: Context<'toStored', 1>): Awaitable<Values<E>>;
}
