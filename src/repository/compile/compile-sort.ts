import type { SortTerm } from '../query/query';
import { compileCell, compileExpression } from './compile-cell';
import { fromOf, innerScope, keyIn, rowsIn, type TableScope } from './scope';
import { and } from './statement';

/**
 * The order of rows: NULL is the greatest, as PostgreSQL has it, and the key decides last.
 *
 * `-category.name` → `(SELECT t1."name" FROM "categories" t1 WHERE t1."id" = t0."category") DESC, t0."id"`
 */
export function compileSort(terms: readonly SortTerm[], scope: TableScope): string {
  const sorted = terms.map(
    (term) => `${compileTerm(term, scope)}${term.descending ? ' DESC' : ''}`,
  );
  const byKey = terms.some(
    (term) =>
      term.hops.length === 0 &&
      term.expression.field.name === scope.collection.key &&
      term.expression.fn === null,
  );
  return [...sorted, ...(byKey ? [] : [keyIn(scope)])].join(', ');
}

function compileTerm(term: SortTerm, scope: TableScope): string {
  const [hop, ...rest] = term.hops;
  if (!hop) return compileExpression(term.expression, scope);
  const target = scope.view.registry.table(hop.target);
  const inner = innerScope(scope, target, scope.position.select);
  const where = and(`${keyIn(inner)} = ${compileCell(hop, scope)}`, rowsIn(inner));
  const value = compileTerm({ ...term, hops: rest }, inner);
  return `(SELECT ${value} FROM ${fromOf(inner)} WHERE ${where})`;
}
