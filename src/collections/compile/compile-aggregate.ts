import { type BoundFilter, subjectType } from '../../access';
import type { Aggregate, AggregateQuery, GroupSort } from '../query/aggregate-query';
import { quote } from '../registry/column';
import { compileSubject } from './compile-cell';
import type { Scope } from './compile-filter';
import { compilePage, conditions, rootScope } from './compile-rows';
import { and, type Compiled, Statement } from './statement';
import type { TableView } from './table-view';

export const groupName = (index: number): string => `group ${index}`;
export const aggregateName = (index: number): string => `aggregate ${index}`;

/** Functions of the caller's rows, group by group, in one statement. What is masked is NULL, and is skipped. */
export function compileAggregate(query: AggregateQuery<BoundFilter>, view: TableView): Compiled {
  const statement = new Statement();
  const scope = rootScope(query.rows.collection, view, statement);
  const there = view.rows(scope.collection, scope.alias, statement);
  const where = and(there, ...conditions(query.rows, {}, scope));
  const groups = query.groups.map(
    ({ subject }, index) => `${compileSubject(subject, scope)} AS ${quote(groupName(index))}`,
  );
  const rows = `SELECT ${[...groups, ...inputs(query, scope)].join(', ')} FROM ${scope.collection.table} ${scope.alias} WHERE ${where}`;
  const names = query.groups.map((_, index) => quote(groupName(index)));
  const values = query.aggregates.map(
    (aggregate, index) =>
      `${compileFunction(aggregate, quote(`input ${index}`))} AS ${quote(aggregateName(index))}`,
  );
  const grouped = names.length === 0 ? '' : ` GROUP BY ${names.join(', ')}`;
  const order = compileOrder(query);
  return statement.compiled(
    `SELECT ${[...names, ...values].join(', ')} FROM (${rows}) seen${grouped}${order}${compilePage(query.rows, statement)}`,
  );
}

/** Each cell that is looked at, once and masked. */
const inputs = (query: AggregateQuery<BoundFilter>, scope: Scope): string[] =>
  query.aggregates.flatMap(({ subject }, index) =>
    subject ? [`${compileSubject(subject, scope)} AS ${quote(`input ${index}`)}`] : [],
  );

/** Sums and averages of exact numbers are exact, and come as text. */
function compileFunction({ fn, subject }: Aggregate, input: string): string {
  if (subject === null) return 'count(*)';
  const isDouble = subjectType(subject).type === 'double';
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
