import { isNamed } from '../../../engine';
import { InvalidForeignKey } from '../../../common/errors';
import { amongKeys } from '../../compile/scope';
import { Statement } from '../../compile/statement';
import type { Key } from '../../write-context';
import type { KeyToSoftDeleted } from '../../registry/registry';
import { columnOf, fieldsBeside } from '../../registry/stored-collection';
import type { CollectionWrite } from '../collection-write';
import { type Judged, keysOf } from './judged';

/**
 * Refuses a foreign key to a row that is marked as deleted, which still exists for the database. No one can delete the
 * target any more: the database locks it for the referring row until the commit.
 * @throws InvalidForeignKey
 */
export async function refuseDeletedTargets(
  scope: CollectionWrite,
  rows: readonly Judged[],
): Promise<void> {
  const { registry, collection, decision } = scope;
  for (const kept of registry.keysToSoftDeleted(collection)) {
    const { field } = kept.key;
    if (field === undefined) continue;
    const fields = fieldsBeside(collection, field);
    const sends = ({ values }: Judged, name: string): boolean =>
      (values.get(name) ?? null) !== null;
    const keys = keysOf(rows.filter((row) => fields.some((name) => sends(row, name))));
    if (keys.length === 0 || !(await leadsToDeleted(scope, kept, keys))) continue;
    const sent = fields.find((name) => rows.some((row) => sends(row, name)));
    const named = sent !== undefined && isNamed(decision, sent);
    throw new InvalidForeignKey({ collection: collection.name, ...(named && { field: sent }) });
  }
}

async function leadsToDeleted(
  { collection, tx }: CollectionWrite,
  { key, target }: KeyToSoftDeleted,
  keys: readonly Key[],
): Promise<boolean> {
  const statement = new Statement();
  const own = columnOf(collection, collection.key);
  const which = `s.${own.sql} ${amongKeys(statement, collection, keys)}`;
  const there = `EXISTS (SELECT 1 FROM ${target.rows} t WHERE t.${columnOf(target, target.key).sql} = s.${key.sql})`;
  const { text, values } = statement.compiled(
    `SELECT 1 FROM ${collection.rows} s WHERE ${which} AND s.${key.sql} IS NOT NULL AND NOT ${there} LIMIT 1`,
  );
  return (await tx.query(text, values)).length > 0;
}
