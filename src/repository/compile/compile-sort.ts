import type { ToOneShape } from '../../engine';
import type { SortTerm } from '../query/query';
import { compileCell, compileExpression } from './compile-cell';
import { fromOf, innerScope, keyIn, rowsIn, type TableScope } from './scope';
import { and } from './statement';
import { FENCE } from './statement-position';

/** The order of rows, and what it needs after their table in FROM. */
export interface Order {
  readonly by: string;
  readonly joins: string;
}

/**
 * The order of rows: NULL is the greatest, as PostgreSQL has it, and the key decides last. Rows that a term leads to are
 * joined once for all terms of the same path, so that they need not be searched for each row that is sorted.
 *
 * `-category.name`:
 * ```sql
 * FROM "articles" t0 LEFT JOIN (SELECT t1."id" AS key, t1."name" AS v0 FROM "categories" t1
 *   WHERE … what the reader sees …) t2 ON t2.key = t0."category"
 * ORDER BY t2.v0 DESC, t0."id"
 * ```
 */
export function compileSort(terms: readonly SortTerm[], scope: TableScope): Order {
  const { values, joins } = sortValues(terms, scope);
  const sorted = terms.map(({ descending }, at) => `${values[at]}${descending ? ' DESC' : ''}`);
  const byKey = terms.some(
    (term) =>
      term.hops.length === 0 &&
      term.expression.field.name === scope.collection.key &&
      term.expression.fn === null,
  );
  return { by: [...sorted, ...(byKey ? [] : [keyIn(scope)])].join(', '), joins };
}

type Path = Pick<SortTerm, 'hops' | 'expression'>;

/** The value of each path, in the same order, and the joins that some of them are columns of. */
interface SortValues {
  readonly values: readonly string[];
  readonly joins: string;
}

function sortValues(paths: readonly Path[], scope: TableScope): SortValues {
  const values = paths.map(({ hops, expression }) =>
    hops.length === 0 ? compileExpression(expression, scope) : '',
  );
  let joins = '';
  for (const branch of branchesOf(paths)) {
    const { alias, join } = compileBranch(branch, scope);
    for (const [column, place] of branch.places.entries()) values[place] = `${alias}.v${column}`;
    joins += join;
  }
  return { values, joins };
}

/** The paths that begin with one to-one. */
interface Branch {
  readonly hop: ToOneShape;
  /** The positions of these paths among all. */
  readonly places: number[];
  /** What follows the to-one in each of these paths. */
  readonly rests: Path[];
}

function branchesOf(paths: readonly Path[]): Iterable<Branch> {
  const branches = new Map<string, Branch>();
  for (const [place, { hops, expression }] of paths.entries()) {
    const [hop, ...rest] = hops;
    if (!hop) continue;
    const branch = branches.get(hop.name) ?? { hop, places: [], rests: [] };
    branches.set(hop.name, branch);
    branch.places.push(place);
    branch.rests.push({ hops: rest, expression });
  }
  return branches.values();
}

/**
 * What is computed of the target is computed within the join: where the reader sees no target, all of it is NULL, even
 * the size of a list.
 */
function compileBranch({ hop, rests }: Branch, scope: TableScope) {
  const { fenced, inside } = scope.position.join();
  const target = innerScope(scope, scope.view.registry.table(hop.target), inside);
  const visible = rowsIn(target);
  const { values, joins } = sortValues(rests, target);
  const columns = values.map((value, column) => `${value} AS v${column}`).join(', ');
  const key = keyIn(target);
  const link = compileCell(hop, scope);
  const from = `${fromOf(target)}${joins}`;
  const alias = scope.statement.alias();
  const join = fenced
    ? `LATERAL (SELECT ${columns} FROM ${from} WHERE ${and(`${key} = ${link}`, visible)}${FENCE}) ${alias} ON TRUE`
    : `(SELECT ${key} AS key, ${columns} FROM ${from} WHERE ${visible}) ${alias} ON ${alias}.key = ${link}`;
  return { alias, join: ` LEFT JOIN ${join}` };
}
