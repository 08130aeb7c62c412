import { type Decision, rowFilter } from '../../access';
import { columnOf } from '../registry/collection';
import type { CollectionRegistry } from '../registry/registry';
import { compileFilter, keyIn, type Scope } from './compile-filter';
import { and, type Compiled, Statement } from './statement';
import { RealView } from './views';

/** A row, of those with the keys if any are given, that the decision reaches. */
export function compileReach(
  registry: CollectionRegistry,
  decision: Decision,
  keys: readonly (string | number)[] | undefined,
): Compiled {
  const collection = registry.table(decision.collection.name);
  const statement = new Statement();
  const scope: Scope = {
    collection,
    alias: statement.alias(),
    view: new RealView(registry),
    statement,
  };
  const cast = columnOf(collection, collection.key).cast;
  const addressed = keys ? `${keyIn(scope)} = ANY(${statement.bind(keys, `${cast}[]`)})` : 'TRUE';
  const where = and(addressed, compileFilter(rowFilter(decision), scope));
  return statement.compiled(
    `SELECT 1 FROM ${collection.table} ${scope.alias} WHERE ${where} LIMIT 1`,
  );
}
