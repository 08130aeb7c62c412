import { type FieldLookup, malformed, type FieldExpression, expressionType } from '../../engine';
import {
  type Aggregate,
  type AggregateName,
  AGGREGATES,
  type AggregateQuery,
  type Group,
  type GroupSort,
  supportsAggregate,
} from './aggregate-query';
import { DELETED, parseNames, parseObject } from './parameters';
import { parseDeleted, parseRowQuery, refuseUnknown } from './parse-query';
import { parsePath, parseTerms } from './parse-sort';
import type { RawQuery } from './query';
import type { QuerySetting } from './query-setting';
import { FieldSelection } from './field-selection';

const PARAMETERS = ['aggregate', 'groupBy', 'filter', 'search', 'sort', 'limit', 'offset', 'page'];
/** Parameters that have no effect on an aggregate of all rows: it has one result, whatever the order. */
const OF_LISTS = ['sort', 'fields', 'deep', 'limit', 'page'];
/** Parameters about shown rows, for which groups are shown instead. */
const OF_ROWS = ['fields', 'deep', 'alias', 'meta'];
const MAX_COLUMNS = 50;

/** @param raw without its empty parameters */
export const isAggregate = (raw: RawQuery): boolean =>
  raw['aggregate'] !== undefined || raw['groupBy'] !== undefined;

/**
 * Reads `aggregate[sum]=qty,price&groupBy=status,year(published_at)`.
 * @throws AccessFault `hidden` for a name that does not exist or may not be named, else `malformed`
 */
export function parseAggregateQuery(
  sent: RawQuery,
  collection: string,
  setting: QuerySetting,
): AggregateQuery {
  const raw = namesGroups(sent) ? sent : withoutLists(sent);
  refuseOfRows(raw);
  refuseUnknown(raw, [...PARAMETERS, DELETED]);
  const { aggregate, groupBy, sort, ...which } = raw;
  const deleted = parseDeleted(raw, collection, setting);
  const groups = parseGroups(groupBy, collection, setting.named);
  const aggregates = parseAggregates(aggregate, collection, setting.named);
  if (groups.length + aggregates.length > MAX_COLUMNS) {
    throw malformed(['aggregate'], `must name at most ${MAX_COLUMNS} values with groupBy`);
  }
  refuseOverwritten(groups, aggregates);
  return {
    rows: { ...parseRowQuery(which, new FieldSelection().open(), collection, setting), ...deleted },
    groups,
    aggregates,
    order: parseOrder(sort, groups, aggregates),
  };
}

function refuseOfRows(raw: RawQuery): void {
  const name = OF_ROWS.find((each) => raw[each] !== undefined);
  if (name !== undefined) throw malformed([name], 'cannot be combined with aggregate or groupBy');
}

const namesGroups = ({ groupBy }: RawQuery): boolean =>
  (parseNames(groupBy, ['groupBy']) ?? []).length > 0;

const withoutLists = (raw: RawQuery): RawQuery =>
  Object.fromEntries(Object.entries(raw).filter(([name]) => !OF_LISTS.includes(name)));

function parseGroups(raw: unknown, collection: string, lookup: FieldLookup): Group[] {
  const names = [...new Set(parseNames(raw, ['groupBy']) ?? [])];
  return names.map((name) => {
    const expression = ownExpression(name, collection, lookup, 'groupBy');
    return {
      expression,
      as: expression.fn === null ? name : `${expression.field.name}_${expression.fn}`,
    };
  });
}

/** A group's values and its aggregates share one object in the answer. */
function refuseOverwritten(groups: readonly Group[], aggregates: readonly Aggregate[]): void {
  const taken = new Set<string>(aggregates.map(({ fn }) => fn));
  for (const { as } of groups) {
    if (taken.has(as))
      throw malformed(['groupBy', as], 'is also the name of another value in the answer');
    taken.add(as);
  }
}

function parseAggregates(raw: unknown, collection: string, lookup: FieldLookup): Aggregate[] {
  return Object.entries(parseObject(raw, ['aggregate'])).flatMap(
    ([fn, names]: [string, unknown]) => {
      const path = ['aggregate', fn];
      if (!isAggregateName(fn)) throw malformed(path, `is not one of ${AGGREGATES.join(', ')}`);
      const of = [...new Set(parseNames(names, path) ?? [])];
      if (of.length === 0) throw malformed(path, 'must name fields');
      return of.map((name) => parseAggregate(fn, name, collection, lookup));
    },
  );
}

const isAggregateName = (name: string): name is AggregateName =>
  (AGGREGATES as readonly string[]).includes(name);

function parseAggregate(
  fn: AggregateName,
  of: string,
  collection: string,
  lookup: FieldLookup,
): Aggregate {
  if (of === '*') {
    if (fn !== 'count') throw malformed(['aggregate', fn], 'needs the name of a field');
    return { fn, of, expression: null };
  }
  const expression = ownExpression(of, collection, lookup, 'aggregate');
  if (!supportsAggregate(expressionType(expression).type, fn))
    throw malformed(['aggregate', fn], `cannot be used on ${of}`);
  return { fn, of, expression };
}

/** A field of the collection itself, or a function of one. */
function ownExpression(
  name: string,
  collection: string,
  lookup: FieldLookup,
  position: string,
): FieldExpression {
  const { hops, expression } = parsePath(name, collection, lookup, { position, ordered: false });
  if (hops.length > 0 || (expression.field.kind === 'to-many' && expression.fn === null)) {
    throw malformed([position, name], 'must be a field of the collection itself');
  }
  return expression;
}

/** Groups are sorted by `status`, `count` and `sum.qty`; by default by their own values. */
function parseOrder(
  raw: unknown,
  groups: readonly Group[],
  aggregates: readonly Aggregate[],
): GroupSort[] {
  return parseTerms(raw).map(({ name, descending }) => {
    const group = groups.findIndex(({ as, expression }) =>
      [as, expression.fn === null ? as : `${expression.fn}(${expression.field.name})`].includes(
        name,
      ),
    );
    if (group >= 0) return { by: 'group', index: group, descending };
    const index = aggregates.findIndex(({ fn, of }) =>
      of === '*' ? name === fn : name === `${fn}.${of}`,
    );
    if (index < 0)
      throw malformed(['sort', name], 'must name a group or an aggregate of this query');
    return { by: 'aggregate', index, descending };
  });
}
