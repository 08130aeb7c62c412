import type { Queries } from '../../database/database';
import { Statement } from '../compile/statement';
import type { Key } from '../write-context';
import type { IncomingKey } from '../registry/registry';
import { columnOf, type StoredCollection } from '../registry/stored-collection';

/** Whether some row refers to this one by one of these columns; rows that are marked as deleted count as well. */
export async function isReferredTo(
  collection: StoredCollection,
  key: Key,
  incoming: readonly IncomingKey[],
  queries: Queries,
): Promise<boolean> {
  if (incoming.length === 0) return false;
  const statement = new Statement();
  const bound = statement.bind(key, columnOf(collection, collection.key).cast);
  const named = incoming.map(
    ({ holder, key: { sql } }) => `EXISTS (SELECT 1 FROM ${holder.table} WHERE ${sql} = ${bound})`,
  );
  const { text, values } = statement.compiled(`SELECT ${named.join(' OR ')} AS found`);
  const [row] = await queries.query<{ found: boolean }>(text, values);
  return row?.found === true;
}
