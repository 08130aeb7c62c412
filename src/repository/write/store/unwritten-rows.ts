import type { Queries } from '../../../database/database';
import type { Key } from '../../write-context';
import { realScope, type CollectionWrite } from '../collection-write';
import { refuseSkipped } from '../judge/translate-refusal';
import { compileLock } from '../lock/lock-sql';

interface WrittenRow {
  readonly key: Key;
}

/**
 * A trigger of the database may silently skip updates or deletes: such rows still exist, while rows already gone, for
 * example by a cascade, do not.
 */
export async function refuseUnwritten(
  scope: CollectionWrite,
  keys: readonly Key[],
  written: readonly WrittenRow[],
  judge: (queries: Queries) => Promise<void>,
): Promise<void> {
  if (written.length >= keys.length) return;
  const done = new Set(written.map(({ key }) => String(key)));
  const others = keys.filter((key) => !done.has(String(key)));
  const real = realScope(scope.registry, scope.collection);
  const { text, values } = compileLock(real, others, 'NO KEY UPDATE');
  if ((await scope.tx.query(text, values)).length > 0) refuseSkipped(judge);
}
