import { DatabaseError } from 'pg';
import { UnprocessableContent } from '../../common/errors';
import { type BoundFilter, expressionType } from '../../engine';
import type { Queries } from '../../database/database';
import { aggregateName, compileAggregate, groupName } from '../compile/compile-aggregate';
import type { TableView } from '../compile/scope';
import type { Aggregate, AggregateQuery } from '../query/aggregate-query';
import { presentCell } from '../registry/decode';
import type { AnswerBudget } from './answer-budget';
import { presentInTurns } from './present-rows';
import type { Page, Row } from './row-reader';

/**
 * Reads groups and their aggregates: `{status, count, sum: {qty}}`. Counts are numbers; sums and averages of integers
 * and decimals are text.
 */
export async function readAggregates(
  query: AggregateQuery<BoundFilter>,
  view: TableView,
  database: Queries,
  budget: AnswerBudget,
): Promise<Page> {
  const width = query.groups.length + query.aggregates.length;
  const limit = budget.limitFor(width, query.rows.limit);
  const { text, values } = compileAggregate({ ...query, rows: { ...query.rows, limit } }, view);
  const table = await database.table(text, values, budget.takeCharacters).catch(refuseOverflow);
  budget.takeValues(table.rows.length * width);
  const rows = await presentInTurns(table.rows, width, presenting(query, table.names));
  return { rows, ...(budget.large && { large: true }) };
}

const OVERFLOW = '22003';

/** The sum of doubles may exceed the largest double. */
function refuseOverflow(error: unknown): never {
  if (!(error instanceof DatabaseError) || error.code !== OVERFLOW) throw error;
  const reason = 'a sum or an average is too large for a number: ask for other items';
  throw new UnprocessableContent({ reason }, { cause: error });
}

type Present = (cells: readonly unknown[]) => Row;

function presenting(
  { groups, aggregates }: AggregateQuery<BoundFilter>,
  names: readonly string[],
): Present {
  const grouped = groups.map(({ as, expression }, index) => ({
    as,
    type: expressionType(expression),
    at: names.indexOf(groupName(index)),
  }));
  const ofFields = new Set(aggregates.filter(({ of }) => of !== '*').map(({ fn }) => fn));
  const computed = aggregates.map((aggregate, index) => ({
    aggregate,
    // `count: 3` where all items are counted and nothing else is, `count: {'*': 3, title: 2}` otherwise.
    alone: !ofFields.has(aggregate.fn),
    at: names.indexOf(aggregateName(index)),
  }));
  return (cells) => {
    const row: Record<string, unknown> = {};
    for (const { as, type, at } of grouped) row[as] = presentCell(type, cells[at]);
    const byFunction: Record<string, Record<string, unknown>> = {};
    for (const { aggregate, alone, at } of computed) {
      const { fn, of } = aggregate;
      const value = presentAggregate(aggregate, cells[at]);
      if (alone) row[fn] = value;
      else row[fn] = Object.assign((byFunction[fn] ??= {}), { [of]: value });
    }
    return row;
  };
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
