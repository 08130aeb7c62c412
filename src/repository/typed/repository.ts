import type { Caller } from '../../engine';
import type { Key } from '../write-context';
import { ProtectedRepository as UntypedRepository } from '../protected-repository';
import type { AnswerBudget } from '../read/answer-budget';
import type { AdditionalGrants } from '../read/additional-grants';
import type { Page } from '../read/row-reader';
import type { Item, Payload, Typed, Untyped } from './entity-types';
import type { AggregateQuery, Query } from './query-types';

/** Items that a repository answers, with their numbers where the query asks for them by `meta`. */
export interface ItemPage<E> extends Omit<Page, 'rows'> {
  readonly rows: readonly Item<E>[];
}

type SelectorOf<E> = { readonly keys: readonly unknown[] } | { readonly query: Query<E> };

/** Anything, where no entity says what it must be: it is checked when it is written. */
type Writing<E> = Typed<E, unknown, Payload<E>>;

type Retyped =
  | 'list'
  | 'one'
  | 'listByKeys'
  | 'create'
  | 'createOne'
  | 'update'
  | 'updateOne'
  | 'updateEach'
  | 'updateSingleton'
  | 'delete';

interface EntityRepository<E> extends Omit<UntypedRepository, Retyped> {
  /** For the compiler only, and always undefined: the entity. */
  readonly entity?: Typed<E, unknown, E>;
  /**
   * The items that the query finds and the caller may see; of a query with `aggregate` its groups.
   * @param budget shared by several reads of one request
   * @throws Forbidden where the caller may read nothing of the collection, or names a field that they may not read;
   * InvalidQuery
   */
  list(caller: Caller, query: Query<E>, budget?: AnswerBudget): Promise<ItemPage<E>>;
  list(caller: Caller, query: AggregateQuery<E>, budget?: AnswerBudget): Promise<Page>;
  /**
   * One item by its key.
   * @throws Forbidden where there is no such item, or the caller may not see it; InvalidQuery
   */
  one(
    caller: Caller,
    key: unknown,
    query: Query<E>,
    how?: Parameters<UntypedRepository['one']>[3],
  ): Promise<ItemPage<E> & { readonly row: Item<E> }>;
  /**
   * The items with these keys, in the order of the keys; those that the caller may not see are left out.
   * @throws Forbidden where the caller may read nothing of the collection; InvalidQuery
   */
  listByKeys(
    caller: Caller,
    keys: readonly Key[],
    query: Query<E>,
    how?: Parameters<UntypedRepository['listByKeys']>[3],
  ): Promise<ItemPage<E>>;
  /**
   * Creates one item for each payload, all or none.
   * @returns the items, as far as the caller may read them, in the order of the payloads
   * @throws Forbidden; InvalidPayload; FailedValidation and other errors of values; InvalidQuery; what hooks throw
   */
  create(caller: Caller, payloads: readonly Writing<E>[], query: Query<E>): Promise<ItemPage<E>>;
  /**
   * Creates one item.
   * @returns a page of that item, as far as the caller may read it
   * @throws what `create` throws; InvalidQuery for parameters that choose items, such as `filter`
   */
  createOne(caller: Caller, payload: Writing<E>, query: Query<E>): Promise<ItemPage<E>>;
  /**
   * Gives all selected items the same values, all or none.
   * @returns the items, as far as the caller may read them
   * @throws Forbidden where a key has no item, or the caller may not update it so; otherwise what `create` throws
   */
  update(
    caller: Caller,
    selector: SelectorOf<E>,
    payload: Writing<E>,
    query: Query<E>,
  ): Promise<ItemPage<E>>;
  /**
   * Gives one item the values, by its key.
   * @returns a page of that item, as far as the caller may read it
   * @throws what `update` throws
   */
  updateOne(
    caller: Caller,
    key: unknown,
    payload: Writing<E>,
    query: Query<E>,
    grants?: AdditionalGrants,
  ): Promise<ItemPage<E>>;
  /**
   * Gives each item values of its own, all or none.
   * @returns the items, as far as the caller may read them
   * @throws what `update` throws
   */
  updateEach(
    caller: Caller,
    updates: readonly { readonly key: unknown; readonly payload: Writing<E> }[],
    query: Query<E>,
  ): Promise<ItemPage<E>>;
  /**
   * Updates a singleton's one item.
   * @returns a page of that item, as far as the caller may read it
   * @throws Forbidden where the item does not exist; otherwise what `update` throws
   */
  updateSingleton(caller: Caller, payload: Writing<E>, query: Query<E>): Promise<ItemPage<E>>;
  /**
   * Deletes the selected items, all or none.
   * @throws Forbidden where a key has no item, or the caller may not delete it; InvalidForeignKey where others refer to
   * one; what hooks throw
   */
  delete(caller: Caller, selector: SelectorOf<E>): Promise<void>;
}

/**
 * The repository of a collection, under the rules of the caller, who is the first argument of each method:
 * `ProtectedRepository<Invoice>`, injected by `@InjectCollection(Invoice)`. Without an entity the compiler checks no
 * names.
 */
export type ProtectedRepository<E = Untyped> = EntityRepository<E>;
export const ProtectedRepository = UntypedRepository;
