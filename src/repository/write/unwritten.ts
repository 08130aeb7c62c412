import type { Key } from '../hooks';
import { type Judge, refuseSkipped } from './constraint-fault';
import { realScope, type WriteScope } from './write-scope';
import { compileLock } from './write-sql';

export interface WrittenRow {
  readonly key: Key;
}

/**
 * A trigger of the database may keep rows from being updated or deleted without a word: those are still there, while
 * what was gone already, as by a cascade, is not.
 */
export async function refuseUnwritten(
  scope: WriteScope,
  keys: readonly Key[],
  written: readonly WrittenRow[],
  judge: Judge,
): Promise<void> {
  if (written.length >= keys.length) return;
  const done = new Set(written.map(({ key }) => String(key)));
  const others = keys.filter((key) => !done.has(String(key)));
  const { text, values } = compileLock(realScope(scope.registry, scope.collection), others);
  if ((await scope.tx.query(text, values)).length > 0) refuseSkipped(judge);
}
