import { type Action, isStored, parseValue, type Caller } from '../../../engine';
import { Forbidden, InvalidPayload } from '../../../common/errors';
import type { Queries } from '../../../database/database';
import { openScope, type TableScope } from '../../compile/scope';
import { RealView } from '../../compile/views';
import type { Key } from '../../hooks';
import { parseSelection } from '../../query/parse-query';
import type { RawQuery } from '../../query/query';
import type { QueryLimits } from '../../query/query-setting';
import { asQueryError } from '../../query/query-error';
import { readAs, settingFor } from '../../read/caller-reader';
import type { StoredCollection } from '../../registry/stored-collection';
import type { CollectionRegistry } from '../../registry/registry';
import { assertReached } from '../lock/assert-reached';
import { compileLock } from '../lock/lock-sql';
import { fieldsSent, lockFor } from '../lock/lock-strength';

/** Items that a list in a body may hold, and as many nested ones: they are read at once. */
export const MAX_ITEMS = 2_500;

/**
 * Which rows a write is for: `{ keys: [1, 2] }`, or a query of what the caller may see: `{ query: { filter: { … } } }`.
 * A query may select 2,500 rows at most.
 */
export type Selector = { readonly keys: readonly unknown[] } | { readonly query: RawQuery };

/** One of several updates, each with values of its own. */
export interface ItemUpdate {
  readonly key: unknown;
  readonly payload: unknown;
}

/** Reads which rows a body is for, without the values to write. */
export class RowSelection {
  constructor(private readonly key: string) {}

  /** `[{id, …}]`: each with its own values. */
  readUpdates(body: readonly unknown[]): ItemUpdate[] {
    return boundedItems(body).map((item) => {
      const { [this.key]: key, ...payload } = asBody(
        item,
        undefined,
        'every item must be an object',
      );
      if (key === undefined) throw new InvalidPayload({ field: this.key, reason: 'is missing' });
      return { key, payload };
    });
  }

  /** `{keys, data}`, `{query, data}` and `{id: [1, 2], …}`: all get the same values. */
  readSharedUpdate(sent: unknown): { readonly selector: Selector; readonly data: unknown } {
    const body = asBody(sent);
    if (Array.isArray(body[this.key])) {
      const { [this.key]: keys, ...data } = body;
      return { selector: { keys: boundedItems(keys as unknown[]) }, data };
    }
    const { keys, query, data, ...rest } = body;
    refuseOthers(rest);
    if (data === undefined) throw new InvalidPayload({ field: 'data', reason: 'is missing' });
    return { selector: selectorOf(keys, query), data: asBody(data, 'data') };
  }

  /** `[1, 2]`, `{keys}` and `{query}`. */
  readSelector(sent: unknown): Selector {
    if (Array.isArray(sent)) return { keys: boundedItems(sent) };
    const { keys, query, ...rest } = asBody(sent);
    refuseOthers(rest);
    return selectorOf(keys, query);
  }
}

function selectorOf(keys: unknown, query: unknown): Selector {
  if ((keys === undefined) === (query === undefined)) {
    throw new InvalidPayload({
      field: 'keys',
      reason: 'or "query" must say which items are meant',
    });
  }
  if (query !== undefined) return { query: asBody(query, 'query') };
  if (!Array.isArray(keys))
    throw new InvalidPayload({ field: 'keys', reason: 'must be a list of keys' });
  if (!boundedItems(keys).every((key) => typeof key === 'string' || typeof key === 'number'))
    throw new InvalidPayload({ field: 'keys', reason: 'must hold only keys' });
  return { keys };
}

export const isPayload = (sent: unknown): sent is Record<string, unknown> =>
  typeof sent === 'object' && sent !== null && !Array.isArray(sent);

/** @throws InvalidPayload for anything but an object */
export function asBody(
  body: unknown,
  field?: string,
  reason = field === undefined ? 'the body must be an object or a list' : 'must be an object',
): Record<string, unknown> {
  if (isPayload(body)) return body;
  throw new InvalidPayload({ ...(field !== undefined && { field }), reason });
}

/**
 * @param rest the members that are not expected
 * @throws InvalidPayload where there are any
 */
export function refuseOthers(rest: Record<string, unknown>): void {
  const [field] = Object.keys(rest);
  if (field !== undefined) throw new InvalidPayload({ field, reason: 'does not belong here' });
}

/** @throws InvalidPayload for a list of more than 2,500 items */
export function boundedItems(list: readonly unknown[]): readonly unknown[] {
  if (list.length <= MAX_ITEMS) return list;
  throw new InvalidPayload({ reason: `the body must hold at most ${MAX_ITEMS} items` });
}

/** Where rows are searched, and what for. */
export interface SelectedFrom {
  readonly collection: StoredCollection;
  readonly registry: CollectionRegistry;
  readonly limits: QueryLimits;
  readonly action: Action;
  /** What the rows are to be given. */
  readonly payload?: unknown;
}

/**
 * The keys of the rows to write, in the order in which they were named or found. Rows that are found are locked, and
 * those that a concurrent request has just changed are written only if they still match the query.
 * @throws Forbidden where a query is sent by a caller who cannot read the collection, or may not write what it finds
 */
export async function selectKeys(
  caller: Caller,
  selector: Selector,
  from: SelectedFrom,
  tx: Queries,
): Promise<readonly Key[]> {
  const { collection } = from;
  if ('keys' in selector) return parseKeys(collection, selector.keys);
  if (collection.view || !caller.may('read', collection.name)) throw new Forbidden({});
  const setting = settingFor(caller, from.limits);
  const query = asQueryError(setting.named, () =>
    parseSelection(selector.query, collection.name, setting),
  );
  const limit = Math.min(query.limit ?? Infinity, MAX_ITEMS + 1);
  const page = await readAs(caller, { ...query, limit }, from.registry, tx);
  if (page.rows.length > MAX_ITEMS) {
    throw new InvalidPayload({ field: 'query', reason: `must select at most ${MAX_ITEMS} items` });
  }
  const keys = page.rows.map((row) => row[collection.key] as Key);
  if (keys.length === 0) return keys;
  const real = (): TableScope => openScope(collection, new RealView(from.registry));
  const decision = caller.decide(collection.name, from.action);
  if (!decision) throw new Forbidden({});
  await assertReached(decision, real(), keys, tx);
  const lock = await lockFor({ collection, decision, tx }, fieldsSent([from.payload]));
  const { text, values } = compileLock(real(), keys, lock);
  await tx.query(text, values);
  const whole = { ...query, limit: null, offset: 0 };
  const locked = await readAs(caller, whole, from.registry, tx, { keys });
  return locked.rows.map((row) => row[collection.key] as Key);
}

/** A key that its column cannot hold belongs to no item. */
export function parseKeys(collection: StoredCollection, sent: readonly unknown[]): Key[] {
  const keys = knownKeys(collection, sent);
  if (keys.length !== sent.length) throw new Forbidden({});
  return keys;
}

/** The keys that an item can have. */
export function knownKeys(collection: StoredCollection, sent: readonly unknown[]): Key[] {
  return sent.flatMap((key) => {
    if (typeof key !== 'string' && typeof key !== 'number') {
      throw new InvalidPayload({ field: collection.key, reason: 'must be a key' });
    }
    return parseKey(collection, key) ?? [];
  });
}

/** A key in its canonical form; undefined where no item of the collection can have it. */
export function parseKey({ fields, key }: StoredCollection, sent: unknown): Key | undefined {
  const field = fields.get(key);
  const parsed = field && isStored(field) ? parseValue(field, sent) : undefined;
  return parsed && 'value' in parsed ? (parsed.value as Key) : undefined;
}
