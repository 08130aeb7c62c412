import { DatabaseError } from 'pg';
import { UnprocessableContent } from '../../common/errors';
import { type BoundFilter, expressionType } from '../../engine';
import type { Queries } from '../../database/database';
import { aggregateName, compileAggregate, groupName } from '../compile/compile-aggregate';
import type { TableView } from '../compile/scope';
import type { Aggregate, AggregateQuery } from '../query/aggregate-query';
import { presentCell } from '../registry/decode';
import type { Row } from './row-reader';

/**
 * Reads groups and their aggregates: `{status, count, sum: {qty}}`. Counts are numbers; sums and averages of integers
 * and decimals are text.
 */
export async function readAggregates(
  query: AggregateQuery<BoundFilter>,
  view: TableView,
  database: Queries,
): Promise<Row[]> {
  const { text, values } = compileAggregate(query, view);
  const raw = await database.query(text, values).catch(refuseOverflow);
  return raw.map((row) => present(query, row));
}

const OVERFLOW = '22003';

/** The sum of doubles may exceed the largest double. */
function refuseOverflow(error: unknown): never {
  if (!(error instanceof DatabaseError) || error.code !== OVERFLOW) throw error;
  const reason = 'a sum or an average is too large for a number: ask for other items';
  throw new UnprocessableContent({ reason }, { cause: error });
}

function present(query: AggregateQuery<BoundFilter>, raw: Row): Row {
  const row: Record<string, unknown> = {};
  for (const [index, { as, expression }] of query.groups.entries()) {
    row[as] = presentCell(expressionType(expression), raw[groupName(index)]);
  }
  for (const [index, aggregate] of query.aggregates.entries()) {
    const value = presentAggregate(aggregate, raw[aggregateName(index)]);
    const alone = !query.aggregates.some(({ fn, of }) => fn === aggregate.fn && of !== '*');
    if (aggregate.of === '*' && alone) row[aggregate.fn] = value;
    else
      row[aggregate.fn] = { ...(row[aggregate.fn] as object | undefined), [aggregate.of]: value };
  }
  return row;
}

function presentAggregate({ fn, expression }: Aggregate, raw: unknown): unknown {
  if (expression === null) return Number(raw);
  switch (fn) {
    case 'count':
    case 'countDistinct':
      return Number(raw);
    case 'sum':
    case 'avg':
      // NaN or an infinity among the doubles makes the result one of these, too.
      return typeof raw === 'number' && !Number.isFinite(raw) ? null : (raw ?? null);
    case 'min':
    case 'max':
      return presentCell(expressionType(expression), raw);
  }
}
