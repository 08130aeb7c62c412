import {
  bindFilter,
  type Cell,
  describeVariable,
  isEverything,
  usesVariable,
  type Variable,
  type VariableSource,
} from '../../access';
import type { PathVariable } from '../../rules';
import type { BoundQuery, RowQuery } from '../query/query';

const isPath = (variable: Variable): variable is PathVariable =>
  'path' in variable && variable.path.length > 0;

/** The variables of a query, of its own filter and its relations', that must be read before it can be bound. */
export function queryVariables(query: RowQuery): PathVariable[] {
  const found: PathVariable[] = [];
  usesVariable(query.filter, (variable) => {
    if (isPath(variable)) found.push(variable);
    return false;
  });
  return [...found, ...query.relations.flatMap((relation) => queryVariables(relation.query))];
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

/** It has nothing that is not bound. */
const asBound = (query: RowQuery): BoundQuery => query as BoundQuery;

/** A source that knows path variables by what was read for them. */
export const withValues = (
  source: VariableSource,
  values: ReadonlyMap<string, Cell>,
): VariableSource => ({
  now: source.now,
  valueOf: (variable) =>
    isPath(variable) ? values.get(describeVariable(variable)) : source.valueOf(variable),
});
