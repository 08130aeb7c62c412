import type { BoundFilter, ThroughOne, Value } from '../../engine';
import { innerScope, keyIn, type Scope } from '../compile/scope';
import type { Key } from '../hooks';
import { columnOf } from '../registry/collection';
import { realScope, type WriteScope } from './write-scope';
import { keyList } from './write-sql';

/**
 * Holds the rows that to-one clauses of the rules lead to: what a rule was judged on must not change before the write
 * that it allows is committed.
 */
export async function lockParents(
  scope: WriteScope,
  keys: readonly Key[],
  filters: readonly BoundFilter[],
): Promise<void> {
  const paths = parentPaths(filters);
  const distinct = new Map(
    paths.map((path) => [path.map(({ field }) => field.name).join('.'), path]),
  );
  for (const path of distinct.values()) {
    const real = realScope(scope.registry, scope.collection);
    const rows = `SELECT ${keyIn(real)} FROM ${real.collection.table} ${real.alias} WHERE ${keyIn(real)} = ANY(${keyList(real, keys)})`;
    const { text, values } = real.statement.compiled(lockAlong(real, path, rows));
    await scope.tx.query(text, values);
  }
}

type Path = readonly ThroughOne<Value>[];

/** Every way that the filters go from parent to parent, the near parents first. */
function parentPaths(filters: readonly BoundFilter[], before: Path = []): Path[] {
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

/** @param rows selects the keys of the rows where the path starts */
function lockAlong(start: Scope, path: Path, rows: string): string {
  let [scope, keys] = [start, rows];
  for (const { field } of path) {
    const target = scope.view.registry.table(field.target);
    const inner = innerScope(scope, target, scope.place);
    const foreignKey = columnOf(scope.collection, field.name).sql;
    const links = `SELECT ${foreignKey} FROM ${scope.collection.table} WHERE ${columnOf(scope.collection, scope.collection.key).sql} IN (${keys})`;
    keys = `SELECT ${keyIn(inner)} FROM ${target.table} ${inner.alias} WHERE ${keyIn(inner)} IN (${links})`;
    scope = inner;
  }
  return `${keys} ORDER BY ${keyIn(scope)} FOR SHARE`;
}
