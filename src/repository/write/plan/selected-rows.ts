import type { Action, Caller } from '../../../engine';
import { Forbidden, InvalidPayload } from '../../../common/errors';
import type { Queries } from '../../../database/database';
import { openScope, type TableScope } from '../../compile/scope';
import { RealView } from '../../compile/views';
import type { Key } from '../../write-context';
import { parseSelection } from '../../query/parse-query';
import type { QueryLimits } from '../../query/query-setting';
import { asQueryError } from '../../query/query-error';
import { readAs, settingFor } from '../../read/caller-reader';
import { parseKeys } from '../../registry/parse-key';
import type { StoredCollection } from '../../registry/stored-collection';
import type { CollectionRegistry } from '../../registry/registry';
import { assertReached } from '../lock/assert-reached';
import { compileLock } from '../lock/lock-sql';
import { fieldsSent, lockFor } from '../lock/lock-strength';
import { MAX_ITEMS, type Selector } from './selection-body';

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
  const decision = caller.decide(from.action, collection.name);
  if (!decision) throw new Forbidden({});
  await assertReached(decision, real(), keys, tx);
  const lock = await lockFor({ collection, decision, tx }, fieldsSent([from.payload]));
  const { text, values } = compileLock(real(), keys, lock);
  await tx.query(text, values);
  const unpaged = { ...query, limit: null, offset: 0 };
  const locked = await readAs(caller, unpaged, from.registry, tx, { keys });
  return locked.rows.map((row) => row[collection.key] as Key);
}
