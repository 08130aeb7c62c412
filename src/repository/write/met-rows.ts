import type { Case } from '../../engine';
import { Forbidden } from '../../common/errors';
import type { Key } from '../hooks';
import { lockParents } from './lock-parents';
import { realScope, type WriteScope } from './write-scope';
import { compileLock, compileMet, metName } from './write-sql';

export type MetCases = ReadonlyMap<string, readonly Case[]>;

/**
 * Finds for each row the cases that it meets, locks the rows in key order, and looks again in a new statement: what a
 * request decides on is the state before its first write, and nobody changes it meanwhile.
 * @throws Forbidden where a row is missing or met by no case
 */
export async function lockMet(scope: WriteScope, keys: readonly Key[]): Promise<MetCases> {
  const { cases, unrestricted } = scope.decision;
  if (!unrestricted) await findMet(scope, keys);
  const lock = compileLock(realScope(scope.registry, scope.collection), keys);
  const locked = await scope.tx.query(lock.text, lock.values);
  if (locked.length !== keys.length) throw new Forbidden({});
  if (unrestricted) return new Map(keys.map((key) => [String(key), cases]));
  const filters = cases.map((each) => each.rows);
  await lockParents(scope, keys, filters);
  return findMet(scope, keys);
}

async function findMet(scope: WriteScope, keys: readonly Key[]): Promise<MetCases> {
  const { cases } = scope.decision;
  const filters = cases.map((each) => each.rows);
  const { text, values } = compileMet(realScope(scope.registry, scope.collection), keys, filters);
  const rows = await scope.tx.query(text, values);
  const met = new Map(
    rows.map((row) => [
      `${row['key'] as Key}`,
      cases.filter((_, index) => row[metName(index)] === true),
    ]),
  );
  const reached = keys.every((key) => (met.get(String(key))?.length ?? 0) > 0);
  if (!reached) throw new Forbidden({});
  return met;
}
