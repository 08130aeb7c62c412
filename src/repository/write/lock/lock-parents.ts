import type { BoundFilter, ThroughOne, Value } from '../../../engine';
import { fromOf, innerScope, isOneOf, keyIn, type TableScope } from '../../compile/scope';
import type { Key } from '../../write-context';
import { columnOf } from '../../registry/stored-collection';
import { realScope, type CollectionWrite } from '../collection-write';
import { acquireNoWait } from './acquire-locks';
import type { ParentLocks } from './parent-locks';

/**
 * Locks the rows that to-one clauses of the rules lead to: they must not change before the write that they allow is
 * committed. Rows of a view cannot be locked; rows of tables that it leads to can.
 * @param when `ahead` of the rows themselves, far parents first; or `nowait` where these are locked already, and
 * others who have locked a parent may be waiting for them
 * @throws DeadlockAhead where parents that must be locked at once are locked by others
 */
export async function lockParents(
  scope: CollectionWrite,
  keys: readonly Key[],
  filters: readonly BoundFilter[],
  when: 'ahead' | 'nowait' | 'waiting',
): Promise<void> {
  const paths = parentPaths(filters).filter((path) => !endsAtView(path, scope));
  const distinct = new Map(
    paths.map((path) => [path.map(({ field }) => field.name).join('.'), path]),
  );
  const ordered = [...distinct.values()];
  if (when === 'ahead') ordered.reverse();
  for (const path of ordered) {
    const real = realScope(scope.registry, scope.collection);
    const rows = `SELECT ${keyIn(real)} FROM ${fromOf(real)} WHERE ${isOneOf(real, keys)}`;
    const compiled = real.statement.compiled(lockAlong(real, path, rows, scope.parentLocks));
    if (when === 'nowait') await acquireNoWait(scope, compiled);
    else await scope.tx.query(compiled.text, compiled.values);
  }
}

type Path = readonly ThroughOne<Value>[];

/** Every path of the filters from parent to parent, near parents first. */
export function parentPaths(filters: readonly BoundFilter[], before: Path = []): Path[] {
  return filters.flatMap((filter) => {
    switch (filter.kind) {
      case 'and':
      case 'or':
        return parentPaths(filter.of, before);
      case 'to-one': {
        const path = [...before, filter];
        return [path, ...parentPaths([filter.filter], path)];
      }
      case 'to-many':
      case 'leaf':
        return [];
    }
  });
}

function endsAtView(path: Path, { registry }: CollectionWrite): boolean {
  const last = path.at(-1);
  return last !== undefined && registry.table(last.field.target).view === true;
}

/** @param rows selects the keys of the rows where the path starts */
function lockAlong(start: TableScope, path: Path, rows: string, locks: ParentLocks): string {
  let [scope, keys] = [start, rows];
  for (const { field } of path) {
    const target = scope.view.registry.table(field.target);
    const inner = innerScope(scope, target, scope.position);
    const foreignKey = columnOf(scope.collection, field.name).sql;
    const links = `SELECT ${foreignKey} FROM ${scope.collection.rows} link WHERE ${columnOf(scope.collection, scope.collection.key).sql} IN (${keys})`;
    keys = `SELECT ${keyIn(inner)} FROM ${fromOf(inner)} WHERE ${keyIn(inner)} IN (${links})`;
    scope = inner;
  }
  return `${keys} ORDER BY ${keyIn(scope)} FOR ${locks.take(scope.collection)}`;
}
