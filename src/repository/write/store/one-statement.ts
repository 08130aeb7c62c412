import { type FieldShape, isStored, type StoredField } from '../../../engine';
import { compileFilter } from '../../compile/compile-filter';
import { cellIn, type TableScope } from '../../compile/scope';
import { and } from '../../compile/statement';
import { MAX_CHARACTERS } from '../../read/answer-budget';
import type { CollectionWrite } from '../collection-write';
import { hasHooksBefore } from '../hooks-before';
import type { Judged } from '../judge/judged';
import { rowRule } from '../judge/row-rule';
import type { SoleRow } from './sole-row';
import { type TableFacts, typeIn } from './table-facts';

/** Types whose values may have any length. */
const TEXTS: readonly (string | undefined)[] = ['text', 'character varying'];
const SHORT: readonly (string | undefined)[] = [
  'smallint',
  'integer',
  'bigint',
  'numeric',
  'double precision',
  'boolean',
  'uuid',
  'date',
  'time without time zone',
  'timestamp without time zone',
  'timestamp with time zone',
];

/**
 * Compiles the condition that the stored row must match.
 * @param row the stored row's scope
 */
export type RowCondition = (row: TableScope) => string;

/**
 * The condition on the stored row, where one statement can do the whole request: it stores the row, writes the log's
 * entry and returns the answer, and nothing is left to be checked or written. Such a statement is a transaction of its
 * own.
 * @returns undefined where it takes more than that
 */
export function conditionOfRow(
  scope: CollectionWrite,
  sole: SoleRow,
  judged: Judged,
  facts: TableFacts,
): RowCondition | undefined {
  if (!sole.answer || !sole.mayStandAlone || isConcerned(scope)) return undefined;
  const action = scope.decision.action === 'create' ? 'create' : 'update';
  if (hasHooksBefore(scope.hooks, action)) return undefined;
  const rule = rowRule(scope, judged);
  const texts = longFields(scope, sole, facts);
  if (!rule || !texts) return undefined;
  // An answer that is too large refuses the write.
  const maxBytes = Math.floor(MAX_CHARACTERS / texts.length);
  return (row) =>
    and(
      compileFilter(rule, row),
      ...texts.map((name) => `coalesce(octet_length(${cellIn(row, name)}), 0) <= ${maxBytes}`),
    );
}

/** Whether something is still to be checked or written before the commit. */
const isConcerned = ({ registry, collection, commitHooks, decision }: CollectionWrite): boolean =>
  registry.keysToSoftDeleted(collection).length > 0 ||
  (commitHooks.concerns?.(collection.name, decision.action) ?? true);

/** @returns the answer's fields with texts; undefined where other values may be long, or a team's code makes them */
function longFields(
  { collection }: CollectionWrite,
  { answer }: SoleRow,
  facts: TableFacts,
): readonly string[] | undefined {
  const long: string[] = [];
  for (const field of answer?.fields ?? []) {
    if (!isColumn(field)) return undefined;
    const type = typeIn(facts, collection, field.name);
    if (TEXTS.includes(type)) long.push(field.name);
    else if (!SHORT.includes(type) && field.type !== 'enum') return undefined;
  }
  return long;
}

const isColumn = (field: FieldShape): field is StoredField =>
  isStored(field) && !(field.kind === 'column' && field.computed);
