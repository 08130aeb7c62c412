import { columnOf } from '../registry/collection';
import type { SortTerm } from '../query/query';
import { compileCell, compileSubject } from './compile-cell';
import { keyIn, type Scope } from './compile-filter';
import { and } from './statement';

/** The order of rows: NULL is the greatest, as PostgreSQL has it, and the key decides last. */
export function compileSort(terms: readonly SortTerm[], scope: Scope): string {
  const sorted = terms.map(
    (term) => `${compileTerm(term, scope)}${term.descending ? ' DESC' : ''}`,
  );
  const byKey = terms.some(
    (term) =>
      term.hops.length === 0 &&
      term.subject.field.name === scope.collection.key &&
      term.subject.fn === null,
  );
  return [...sorted, ...(byKey ? [] : [keyIn(scope)])].join(', ');
}

function compileTerm(term: SortTerm, scope: Scope): string {
  const [hop, ...rest] = term.hops;
  if (!hop) return compileSubject(term.subject, scope);
  const target = scope.view.registry.table(hop.target);
  const inner: Scope = { ...scope, collection: target, alias: scope.statement.alias() };
  const link = `${inner.alias}.${columnOf(target, target.key).sql} = ${compileCell(hop, scope)}`;
  const there = scope.view.rows(target, inner.alias, scope.statement);
  return `(SELECT ${compileTerm({ ...term, hops: rest }, inner)} FROM ${target.table} ${inner.alias} WHERE ${and(link, there)})`;
}
