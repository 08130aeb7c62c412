import type { Value } from '../../../engine';
import { VersionConflict } from '../../../common/errors';
import { compileCell } from '../../compile/compile-cell';
import { fromOf, isOneOf, keyIn, rowsIn } from '../../compile/scope';
import { and } from '../../compile/statement';
import type { Key } from '../../write-context';
import { virtualScope, type CollectionWrite } from '../collection-write';
import { versionOf } from '../../registry/stored-collection';

/** A locked row, and the version of it that the sender read. */
export interface ReadVersion {
  readonly key: Key;
  readonly version: Value;
}

/**
 * Refuses an update of rows that were changed since the caller read them. The versions are compared as the caller sees
 * them: a version that they may not read is not compared, so that they learn nothing by trying.
 * @throws VersionConflict
 */
export async function refuseStale(
  scope: CollectionWrite,
  read: readonly ReadVersion[],
): Promise<void> {
  const field = versionOf(scope.collection);
  if (!field || read.length === 0) return;
  const virtual = virtualScope(scope.registry, scope.collection, scope.caller);
  const which = isOneOf(
    virtual,
    read.map(({ key }) => key),
  );
  const cells = `${keyIn(virtual)} AS key, ${compileCell(field, virtual)} AS version`;
  const where = and(which, rowsIn(virtual));
  const { text, values } = virtual.statement.compiled(
    `SELECT ${cells} FROM ${fromOf(virtual)} WHERE ${where}`,
  );
  const rows = await scope.tx.query<{ key: Key; version: Value | null }>(text, values);
  const seen = new Map(rows.map(({ key, version }) => [String(key), version]));
  const stale = read.find(({ key, version }) => seen.get(String(key)) !== version);
  if (!stale) return;
  throw new VersionConflict({
    collection: scope.collection.name,
    field: field.name,
    key: stale.key,
  });
}
