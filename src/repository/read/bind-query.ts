import {
  type AdmitsPattern,
  bindFilter,
  hasPath,
  type Cell,
  variableText,
  isEverything,
  PatternSize,
  usesVariable,
  type VariableSource,
  type PathVariable,
} from '../../engine';
import { InvalidQuery } from '../../common/errors';
import type { BoundQuery, RowQuery } from '../query/query';

/** Each path is read by its own statements. */
const MAX_PATHS = 10;

/**
 * The variables of a query, of its own filter and its relations', that must be read before it can be bound: each once.
 * @throws InvalidQuery where there are more than one query may use
 */
export function queryVariables(query: RowQuery): PathVariable[] {
  const found = new Map<string, PathVariable>();
  collectPaths(query, found);
  if (found.size > MAX_PATHS) {
    const reason = `must name at most ${MAX_PATHS} different variables with a path`;
    throw new InvalidQuery({ field: 'filter', reason });
  }
  return [...found.values()];
}

function collectPaths(query: RowQuery, found: Map<string, PathVariable>): void {
  usesVariable(query.filter, (variable) => {
    if (hasPath(variable)) found.set(variableText(variable), variable);
    return false;
  });
  for (const relation of query.relations) collectPaths(relation.query, found);
}

/**
 * Gives every variable of a query its value.
 * @throws InvalidQuery where that makes a text too long to be looked for within others
 */
export const bindQuery = (query: RowQuery, source: VariableSource): BoundQuery =>
  bindMeasured(query, source, new PatternSize());

function bindMeasured(query: RowQuery, source: VariableSource, size: PatternSize): BoundQuery {
  const isBound = isEverything(query.filter) && query.relations.length === 0;
  if (isBound && query.search === null) return asBound(query);
  const measure = (pattern: string, field: string): true => {
    const reason = size.add(pattern);
    if (reason !== undefined) throw new InvalidQuery({ field, reason });
    return true;
  };
  const admits: AdmitsPattern = (pattern, { expression }) =>
    measure(pattern, `filter.${expression.field.name}`);
  if (query.search !== null) measure(query.search, 'search');
  const filter = bindFilter(query.filter, source, undefined, admits);
  const relations = query.relations.map((relation) => ({
    ...relation,
    query: bindMeasured(relation.query, source, size),
  }));
  return { ...query, filter, relations };
}

/** A query without variables is already bound. */
const asBound = (query: RowQuery): BoundQuery => query as BoundQuery;

/** A source that resolves path variables from the values read for them. */
export const withValues = (
  source: VariableSource,
  values: ReadonlyMap<string, Cell>,
): VariableSource => ({
  now: source.now,
  valueOf: (variable) =>
    hasPath(variable) ? values.get(variableText(variable)) : source.valueOf(variable),
});
