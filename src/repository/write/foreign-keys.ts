import type { Cell } from '../../engine';
import { fromOf, keyIn, rowsIn } from '../compile/scope';
import { and } from '../compile/statement';
import type { Key } from '../hooks';
import { virtualScope, type WriteScope } from './write-scope';
import { keyList } from './write-sql';

/** Tells of a row that is about to be written which foreign keys of its payload lead to nothing that the caller sees. */
export type UnseenTargets = (values: ReadonlyMap<string, Cell>) => Promise<readonly string[]>;

/**
 * Looks for the targets of all payloads before the first write, so that no row of a request decides about the next
 * one. What is not seen then may be made by the request itself: it is looked for again when its row is written.
 */
export async function planTargets(
  scope: WriteScope,
  rows: readonly ReadonlyMap<string, Cell>[],
): Promise<UnseenTargets> {
  const unseen = await unseenTargets(scope, rows);
  return (values) => (unseen.length > 0 ? unseenTargets(scope, [values]) : Promise.resolve([]));
}

/**
 * A foreign key in a payload must name a row that the caller sees: a hidden row and a missing one are refused alike.
 * @returns the fields whose targets are not there for the caller
 */
async function unseenTargets(
  scope: WriteScope,
  rows: readonly ReadonlyMap<string, Cell>[],
): Promise<string[]> {
  const unseen: string[] = [];
  for (const field of scope.collection.fields.values()) {
    if (field.kind !== 'to-one') continue;
    // Whoever sees every row is told of a missing one by the database, unless it is the row itself that is missing.
    if (scope.who.administrator && field.target !== scope.collection.name) continue;
    const keys = rows.flatMap((values) => asKey(values.get(field.name)));
    if (!(await areSeen(scope, field.target, keys))) unseen.push(field.name);
  }
  return unseen;
}

const asKey = (cell: Cell | undefined): Key[] =>
  typeof cell === 'string' || typeof cell === 'number' ? [cell] : [];

/** Whether all the keys name rows of the caller's virtual table. */
export async function areSeen(
  { registry, who, tx }: WriteScope,
  collection: string,
  keys: readonly Key[],
): Promise<boolean> {
  const distinct = [...new Set(keys)];
  if (distinct.length === 0) return true;
  const target = registry.table(collection);
  const scope = virtualScope(registry, target, who);
  const where = and(`${keyIn(scope)} = ANY(${keyList(scope, distinct)})`, rowsIn(scope));
  const { text, values } = scope.statement.compiled(
    `SELECT count(*)::int4 AS seen FROM ${fromOf(scope)} WHERE ${where}`,
  );
  const [row] = await tx.query<{ seen: number }>(text, values);
  return row?.seen === distinct.length;
}
