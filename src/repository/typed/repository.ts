import type { Caller } from '../../engine';
import type { Key } from '../hooks';
import { ProtectedRepository as UntypedRepository } from '../protected-repository';
import type { AnswerBudget } from '../read/answer-budget';
import type { AdditionalGrants } from '../read/additional-grants';
import type { Page } from '../read/row-reader';
import type { Item, Payload, Typed, Untyped } from './entity-types';
import type { AggregateQuery, Query } from './query-types';

export interface ItemPage<E> extends Omit<Page, 'rows'> {
  readonly rows: readonly Item<E>[];
}

type Asked<E> = { readonly keys: readonly unknown[] } | { readonly query: Query<E> };

/** Anything, where no entity says what it must be: it is checked when it is written. */
type Writing<E> = Typed<E, unknown, Payload<E>>;

type Retyped =
  | 'list'
  | 'one'
  | 'listByKeys'
  | 'create'
  | 'update'
  | 'updateOne'
  | 'updateEach'
  | 'updateSingleton'
  | 'delete';

interface EntityRepository<E> extends Omit<UntypedRepository, Retyped> {
  /** Only a type, nothing is there: of which entity it is. */
  readonly entity?: Typed<E, unknown, E>;
  list(caller: Caller, query: Query<E>, budget?: AnswerBudget): Promise<ItemPage<E>>;
  list(caller: Caller, query: AggregateQuery<E>, budget?: AnswerBudget): Promise<Page>;
  one(
    caller: Caller,
    key: unknown,
    query: Query<E>,
    how?: Parameters<UntypedRepository['one']>[3],
  ): Promise<ItemPage<E> & { readonly row: Item<E> }>;
  listByKeys(
    caller: Caller,
    keys: readonly Key[],
    query: Query<E>,
    grants?: AdditionalGrants,
  ): Promise<ItemPage<E>>;
  create(caller: Caller, payloads: readonly Writing<E>[], query: Query<E>): Promise<ItemPage<E>>;
  update(
    caller: Caller,
    selector: Asked<E>,
    payload: Writing<E>,
    query: Query<E>,
  ): Promise<ItemPage<E>>;
  updateOne(
    caller: Caller,
    key: unknown,
    payload: Writing<E>,
    query: Query<E>,
    grants?: AdditionalGrants,
  ): Promise<ItemPage<E>>;
  updateEach(
    caller: Caller,
    updates: readonly { readonly key: unknown; readonly payload: Writing<E> }[],
    query: Query<E>,
  ): Promise<ItemPage<E>>;
  updateSingleton(caller: Caller, payload: Writing<E>, query: Query<E>): Promise<ItemPage<E>>;
  delete(caller: Caller, selector: Asked<E>): Promise<void>;
}

/** The repository of a collection, by its entity: `ProtectedRepository<Invoice>`. Without one nothing is checked. */
export type ProtectedRepository<E = Untyped> = EntityRepository<E>;
export const ProtectedRepository = UntypedRepository;
