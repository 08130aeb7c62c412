import {
  type Decision,
  type FieldShape,
  FilterSize,
  hasField,
  namedFields,
  memoize,
  type Caller,
} from '../../engine';
import type { Queries } from '../../database/database';
import { VirtualView } from '../compile/views';
import type { Addressed } from '../compile/compile-rows';
import type { AggregateQuery } from '../query/aggregate-query';
import type { BoundQuery, ListQuery, RowQuery } from '../query/query';
import type { QuerySetting } from '../query/query-setting';
import { OpenedRelations, type QueryLimits } from '../query/query-setting';
import type { CollectionRegistry } from '../registry/registry';
import { AnswerBudget } from './answer-budget';
import { bindQuery, queryVariables, withValues } from './bind-query';
import { readAggregates } from './read-aggregates';
import type { CacheKeyParts } from './plain-queries';
import { type Page, RowReader } from './row-reader';
import { readVariables } from './variables';

/** What the caller may name and see: parsers with this setting cannot distinguish hidden from missing. */
export function settingFor(caller: Caller, limits: QueryLimits): QuerySetting {
  const named = caller.readable;
  return {
    limits,
    opened: new OpenedRelations(),
    size: new FilterSize(),
    named,
    keepsDeleted: (collection) =>
      caller.decide('read', collection)?.collection.deletedAt !== undefined,
    shown: {
      comparable: named,
      key: (collection) => named.key(collection),
      field: (collection, name) => {
        const decision = caller.decide('read', collection);
        return decision && hasField(namedFields(decision), name)
          ? decision.collection.fields.get(name)
          : undefined;
      },
      fields: (collection) => {
        const decision = caller.decide('read', collection);
        return decision ? visibleFields(decision) : [];
      },
    },
  };
}

const visibleFields = memoize((decision: Decision): readonly FieldShape[] => {
  const named = namedFields(decision);
  return [...decision.collection.fields.values()].filter(({ name }) => hasField(named, name));
});

/** Which rows are read, and the budget that they share with others. */
export interface Reading extends Addressed {
  readonly budget?: AnswerBudget | undefined;
  /** The decision and field names that alone determine the query, where it sets nothing but fields, limit or keys. */
  readonly cacheKey?: CacheKeyParts | undefined;
}

/** Answers a query on the caller's virtual tables. */
export async function readAs(
  caller: Caller,
  query: ListQuery,
  registry: CollectionRegistry,
  database: Queries,
  { budget = new AnswerBudget(caller.left), cacheKey, ...addressed }: Reading = {},
): Promise<Page> {
  const view = new VirtualView(registry, caller);
  const bound = await bindAs(caller, query, view, database);
  return new RowReader(database, view, budget).page(bound, query.meta, addressed, cacheKey);
}

/** Answers an aggregate on the caller's virtual tables. */
export async function aggregateAs(
  caller: Caller,
  query: AggregateQuery,
  registry: CollectionRegistry,
  database: Queries,
  budget = new AnswerBudget(caller.left),
): Promise<Page> {
  const view = new VirtualView(registry, caller);
  const rows = await bindAs(caller, query.rows, view, database);
  return readAggregates({ ...query, rows }, view, database, budget);
}

/** Variables of a query have the values that the caller sees. */
async function bindAs(
  caller: Caller,
  query: RowQuery,
  view: VirtualView,
  database: Queries,
): Promise<BoundQuery> {
  const variables = queryVariables(query);
  const { identity } = caller;
  if (variables.length === 0) return bindQuery(query, caller.variables);
  const values = await readVariables(variables, (kind) => identity[kind], view, database);
  return bindQuery(query, withValues(caller.variables, values));
}
