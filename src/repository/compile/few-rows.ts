import type { BoundFilter, ThroughMany, Value } from '../../engine';
import type { StoredCollection } from '../registry/stored-collection';
import { compileFilter } from './compile-filter';
import { StatementPosition } from './statement-position';
import { fromOf, innerScope, keyIn, rowsIn, type TableScope } from './scope';
import { and } from './statement';

/** Up to this many rows it is faster to fetch each by its key than to scan all. */
const FEW = 1_000;
/** Each of them adds to the query plan. */
const MAX_ALTERNATIVES = 8;

/** The rows that a reader can see, and how to select from them. */
export interface Found {
  /** The beginning of the statement. */
  readonly before: string;
  /** @param glue joins two selects of which one finds nothing */
  select(compile: (visible: string) => string, glue: ' UNION ALL ' | ' + '): string;
}

/** The rows are scanned, or found by an index that the other conditions use. */
export const scanRows = (scope: TableScope): Found => {
  const visible = rowsIn(scope);
  return { before: '', select: (compile) => compile(visible) };
};

/**
 * Finds rows that match one of several conditions on several tables (its owner, or a member of its team): no index
 * leads to such rows, though one leads to those that match each condition. So the keys for each condition are fetched.
 * If they turn out to be many, fetching stops, and the rows are scanned as they would have been otherwise: then a page
 * fills quickly.
 *
 * For articles that one owns or has noted:
 * ```sql
 * WITH few AS MATERIALIZED (
 *   (SELECT t2."id" AS key FROM "articles" t2 WHERE t2."owner" = $1::uuid LIMIT 1001) UNION ALL
 *   (SELECT t3."id" AS key FROM "articles" t3 WHERE EXISTS (SELECT 1 FROM "notes" t4
 *     WHERE (t4."article" = t3."id" AND t4."author" = $1::uuid)) LIMIT 1001))
 * (SELECT … FROM "articles" t0 WHERE ((SELECT count(*) FROM few) <= 1000
 *   AND t0."id" = ANY(ARRAY(SELECT few.key FROM few))) …) UNION ALL
 * (SELECT … FROM "articles" t0 WHERE ((SELECT count(*) FROM few) > 1000 AND (t0."owner" = $1::uuid OR …)) …)
 * ```
 * @param queryFilter the other conditions
 */
export function findRows(queryFilter: BoundFilter, scope: TableScope): Found {
  const { rows, scope: rules } = scope.view.reach(scope);
  const alternatives = alternativesOf(rows);
  const isUseful =
    alternatives.length > 1 &&
    alternatives.length <= MAX_ALTERNATIVES &&
    alternatives.some(readsRelatedRows);
  // For rows about other rows, each row is checked individually anyway.
  if (scope.collection.about || scope.deleted !== null) return scanRows(scope);
  const everyAlternativeUsesIndex =
    isUseful && alternatives.every((each) => usesIndex(each, scope));
  if (!everyAlternativeUsesIndex || usesIndex(queryFilter, scope)) return scanRows(scope);
  const there = rowsIn(scope);
  const keys = alternatives.map((each) => keysOf(each, rules));
  const count = '(SELECT count(*) FROM few)';
  const among = `${keyIn(scope)} = ANY(ARRAY(SELECT few.key FROM few))`;
  return {
    before: `WITH few AS MATERIALIZED (${keys.join(' UNION ALL ')}) `,
    select: (compile, glue) =>
      [and(`${count} <= ${FEW}`, among), and(`${count} > ${FEW}`, there)]
        .map((condition) => `(${compile(condition)})`)
        .join(glue),
  };
}

const alternativesOf = (filter: BoundFilter): readonly BoundFilter[] =>
  filter.kind === 'or' ? filter.of.flatMap(alternativesOf) : [filter];

/** Conditions on the row alone need no help: PostgreSQL combines several indexes for them. */
const readsRelatedRows = (filter: BoundFilter): boolean =>
  filter.kind === 'and' ? filter.of.some(readsRelatedRows) : filter.kind !== 'leaf';

function keysOf(alternative: BoundFilter, scope: TableScope): string {
  const row = innerScope(scope, scope.collection, StatementPosition.root().rule);
  const where = compileFilter(alternative, row);
  return `(SELECT ${keyIn(row)} AS key FROM ${fromOf(row)} WHERE ${where} LIMIT ${FEW + 1})`;
}

/**
 * Whether an index leads to the rows: an indexed column is compared with one value or a few, here or in a list's rows.
 */
function usesIndex(filter: BoundFilter, scope: TableScope): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.of.some((member) => usesIndex(member, scope));
    case 'to-many':
      return listUsesIndex(filter, scope);
    case 'leaf':
      return leafUsesIndex(filter, scope.collection);
    case 'or':
    case 'to-one':
      return false;
  }
}

function listUsesIndex(
  { field, quantifier, filter }: ThroughMany<Value>,
  { view }: TableScope,
): boolean {
  const target = view.registry.table(field.target);
  const { through } = field;
  const targetUsesIndex =
    !through || isIndexed(view.registry.table(through.collection), through.targetForeignKey);
  const members = filter.kind === 'and' ? filter.of : [filter];
  return (
    targetUsesIndex &&
    quantifier === 'some' &&
    members.some((member) => leafUsesIndex(member, target))
  );
}

const leafUsesIndex = (filter: BoundFilter, collection: StoredCollection): boolean =>
  filter.kind === 'leaf' &&
  (filter.test === 'eq' || filter.test === 'in') &&
  !filter.negated &&
  filter.expression.fn === null &&
  isIndexed(collection, filter.expression.field.name);

const isIndexed = (collection: StoredCollection, field: string): boolean =>
  collection.columns.get(field)?.indexed ?? false;
