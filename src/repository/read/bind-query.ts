import {
  bindFilter,
  type Cell,
  variableText,
  isEverything,
  usesVariable,
  type Variable,
  type VariableSource,
  type PathVariable,
} from '../../engine';
import { InvalidQuery } from '../../common/errors';
import type { BoundQuery, RowQuery } from '../query/query';

const isPath = (variable: Variable): variable is PathVariable =>
  'path' in variable && variable.path.length > 0;

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
    if (isPath(variable)) found.set(variableText(variable), variable);
    return false;
  });
  for (const relation of query.relations) collectPaths(relation.query, found);
}

/** Gives every variable of a query its value. */
export function bindQuery(query: RowQuery, source: VariableSource): BoundQuery {
  if (isEverything(query.filter) && query.relations.length === 0) return asBound(query);
  const filter = bindFilter(query.filter, source);
  const relations = query.relations.map((relation) => ({
    ...relation,
    query: bindQuery(relation.query, source),
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
    isPath(variable) ? values.get(variableText(variable)) : source.valueOf(variable),
});
