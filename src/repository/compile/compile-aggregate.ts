import { type BoundFilter, type FieldExpression, expressionType } from '../../engine';
import type { Aggregate, AggregateQuery, GroupSort } from '../query/aggregate-query';
import { quote } from '../../database/quote';
import { sqlTypeOf } from '../registry/stored-collection';
import { asShown } from './as-shown';
import { compileExpression } from './compile-cell';
import { conditions } from './compile-conditions';
import { compilePage } from './compile-rows';
import { findRows } from './few-rows';
import { fromOf, openScope, type TableScope, type TableView } from './scope';
import { and, type Compiled } from './statement';

export const groupName = (index: number): string => `group ${index}`;
export const aggregateName = (index: number): string => `aggregate ${index}`;

/**
 * Functions of the caller's rows, group by group, in one statement. What is masked is NULL, and is skipped.
 *
 * `aggregate[count]=*&aggregate[max]=title&groupBy=status`:
 * ```sql
 * SELECT "group 0", count(*) AS "aggregate 0", max("input 1") AS "aggregate 1"
 * FROM (SELECT t0."status" AS "group 0", t0."title" AS "input 1" FROM "articles" t0 WHERE TRUE) seen
 * GROUP BY "group 0" ORDER BY "group 0"
 * ```
 */
export function compileAggregate(query: AggregateQuery<BoundFilter>, view: TableView): Compiled {
  const { collection, deleted } = query.rows;
  const scope = openScope(view.registry.table(collection), view, deleted);
  const { statement } = scope;
  const found = findRows(query.rows.filter, scope);
  const queryConditions = conditions(query.rows, scope);
  const groups = query.groups.map(
    ({ expression }, index) =>
      `${compileDistinct(expression, scope)} AS ${quote(groupName(index))}`,
  );
  const cells = [...groups, ...inputs(query, scope)].join(', ');
  const seen = (visible: string): string =>
    `SELECT ${cells} FROM ${fromOf(scope)} WHERE ${and(visible, queryConditions)}`;
  const rows = found.select(seen, ' UNION ALL ');
  const names = query.groups.map((_, index) => quote(groupName(index)));
  const values = query.aggregates.map(
    (aggregate, index) =>
      `${compileFunction(aggregate, quote(`input ${index}`))} AS ${quote(aggregateName(index))}`,
  );
  // Without groups, all rows form one group, even if nothing is computed of them.
  const grouped = ` GROUP BY ${names.length === 0 ? '()' : names.join(', ')}`;
  const order = compileOrder(query);
  return statement.compiled(
    `${found.before}SELECT ${[...names, ...values].join(', ')} FROM (${rows}) seen${grouped}${order}${compilePage(query.rows, statement)}`,
  );
}

/** The masked cells that the query reads, each once. */
const inputs = (query: AggregateQuery<BoundFilter>, scope: TableScope): string[] =>
  query.aggregates.flatMap(({ fn, expression }, index) => {
    if (!expression) return [];
    const compile = fn === 'countDistinct' ? compileDistinct : compileExpression;
    return [`${compile(expression, scope)} AS ${quote(`input ${index}`)}`];
  });

/** An expression to group by or to count distinct values of: values that are shown alike count as one. */
function compileDistinct(expression: FieldExpression, scope: TableScope): string {
  const value = compileExpression(expression, scope);
  const { field, fn } = expression;
  return fn === null && field.kind !== 'to-many'
    ? asShown(value, sqlTypeOf(scope.collection, field.name))
    : value;
}

/** Sums and averages of exact numbers are exact, and are returned as text. */
function compileFunction({ fn, expression }: Aggregate, input: string): string {
  if (expression === null) return 'count(*)';
  const isDouble = expressionType(expression).type === 'double';
  switch (fn) {
    case 'count':
      return `count(${input})`;
    case 'countDistinct':
      return `count(DISTINCT ${input})`;
    case 'sum':
      return isDouble ? `sum(${input})` : `sum(${input}::numeric)`;
    case 'avg':
      return isDouble ? `avg(${input})` : `trim_scale(avg(${input}::numeric))`;
    case 'min':
      return `min(${input})`;
    case 'max':
      return `max(${input})`;
  }
}

function compileOrder({ groups, order }: AggregateQuery<BoundFilter>): string {
  const own: GroupSort[] = groups.map((_, index) => ({ by: 'group', index, descending: false }));
  const terms = [...order, ...own].map(
    ({ by, index, descending }) =>
      `${quote(by === 'group' ? groupName(index) : aggregateName(index))}${descending ? ' DESC' : ''}`,
  );
  return terms.length === 0 ? '' : ` ORDER BY ${terms.join(', ')}`;
}
