import { type Decision, rowFilter } from '../../engine';
import { columnOf } from '../registry/collection';
import type { CollectionRegistry } from '../registry/registry';
import { compileFilter } from './compile-filter';
import { fromOf, keyIn, openScope } from './scope';
import { and, type Compiled } from './statement';
import { RealView } from './views';

/** A row, of those with the keys if any are given, that the decision reaches. */
export function compileReach(
  registry: CollectionRegistry,
  decision: Decision,
  keys: readonly (string | number)[] | undefined,
): Compiled {
  const collection = registry.table(decision.collection.name);
  const scope = openScope(collection, new RealView(registry));
  const { statement } = scope;
  const cast = columnOf(collection, collection.key).cast;
  const addressed = keys ? `${keyIn(scope)} = ANY(${statement.bind(keys, `${cast}[]`)})` : 'TRUE';
  const where = and(addressed, compileFilter(rowFilter(decision), scope));
  return statement.compiled(`SELECT 1 FROM ${fromOf(scope)} WHERE ${where} LIMIT 1`);
}
