import { InvalidPayload } from '../../../common/errors';
import { isRecord } from '../../../common/is-object';
import { aboutItem, positionIn } from '../about-item';
import type { RawQuery } from '../../query/query';

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
    return boundedItems(body).map((item, index) =>
      aboutItem(positionIn(body, index), () => this.readUpdate(item)),
    );
  }

  private readUpdate(item: unknown): ItemUpdate {
    const reason = 'every item must be an object';
    const { [this.key]: key, ...payload } = asBody(item, undefined, reason);
    if (key === undefined) throw new InvalidPayload({ field: this.key, reason: 'is missing' });
    return { key, payload };
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

export const isPayload = (sent: unknown): sent is Record<string, unknown> => isRecord(sent);

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
