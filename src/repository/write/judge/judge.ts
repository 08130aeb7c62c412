import {
  type BoundLeaf,
  type Case,
  type Cell,
  covers,
  evaluateFilter,
  failedClauses,
  type FieldShape,
  isEverything,
  mergePresets,
  operatorName,
  type RowView,
} from '../../../engine';
import {
  type FailedConstraint,
  FailedValidation,
  Forbidden,
  SeveralErrors,
} from '../../../common/errors';
import { inTurns } from '../../../common/next-turn';
import type { Queries } from '../../../database/database';
import { fromOf, isOneOf, keyIn, type TableScope } from '../../compile/scope';
import type { Key, Values } from '../../write-context';
import type { StoredCollection } from '../../registry/stored-collection';
import { aboutItem } from '../about-item';
import { judgedFilters } from './judged-filters';
import { lockParents } from '../lock/lock-rows';
import { ROWS_PER_TURN, type PlannedRow } from '../plan/plan';
import { mergeLayers } from '../store/shared-columns';
import type { SoleRow } from '../store/sole-row';
import { type Absent, type Answers, RowQuestions } from './stored-row';
import { realScope, type CollectionWrite } from '../collection-write';
import { requireComment } from './require-comment';
import { CharacterBudget } from '../character-budget';
import { prospectiveInsert, prospectiveUpdate } from '../store/write-sql';

/**
 * One row of a write: the values that are written to it (of the payload, presets, hooks and the service), before
 * `toStored`, and for an update the cases that the row matched before the first write.
 */
export interface Judged {
  readonly key: Key;
  /** As in `PlannedRow`. */
  readonly item?: number | undefined;
  /** Every field of the payload, lists included, without presets. */
  readonly fields: readonly string[];
  readonly values: ReadonlyMap<string, Cell>;
  readonly matching?: readonly Case[];
  /** As in `PlannedRow`; alike for all rows that are judged together. */
  readonly hidden: readonly string[];
}

/** @param linked foreign keys that were unknown when the row was planned */
export function judgedOf(row: PlannedRow, linked: Values, collection: StoredCollection): Judged {
  const { key, item, cases, values, fields, hidden, set, defaults, filled } = row;
  // The payload overrides presets, hooks override the payload, and the service's values override all; the database
  // fills the rest.
  const layers = [defaults, mergePresets(cases), values, linked, set, filled];
  const written = mergeLayers(layers, collection, key);
  return {
    key: key ?? '',
    item,
    fields,
    hidden,
    values: written,
    ...(key !== undefined && { matching: cases }),
  };
}

/**
 * Judges the resulting row of a create or update. A case counts if its rows hold (create: on this row; update: on the
 * row as it was) and its validation holds on this row; the payload's fields must be within what the counting cases
 * list.
 * @throws Forbidden, or FailedValidation where only a validation failed
 * @throws InvalidPayload where it is allowed only with a comment, and none was sent
 */
function judgeRow(
  { decision, caller }: Pick<CollectionWrite, 'decision' | 'caller'>,
  row: RowView,
  judged: Judged,
): void {
  const reached =
    judged.matching ?? decision.cases.filter((each) => evaluateFilter(each.rows, row));
  const counting = reached.filter((each) => evaluateFilter(each.validation, row));
  if (covers(counting, judged.fields)) return requireComment(caller, counting, judged.fields);
  if (!covers(reached, judged.fields)) throw new Forbidden({});
  throw failedValidation(reached, row, judged);
}

/** Names only fields of the payload; a clause about any other field is one entry without details. */
function failedValidation(reached: readonly Case[], row: RowView, judged: Judged): Error {
  const failed = reached.flatMap((each) => failedClauses(each.validation, row));
  const named = failed.flatMap((clause) =>
    judged.fields.includes(fieldOf(clause).name) ? [failureOf(clause)] : [],
  );
  const [first = {}, ...rest] = [
    ...new Map(named.map((each) => [JSON.stringify(each), each])).values(),
  ];
  const errors = rest.map((each) => new FailedValidation(each));
  return new SeveralErrors([new FailedValidation(first), ...errors]);
}

type FailedClause = ReturnType<typeof failedClauses>[number];

const fieldOf = (clause: FailedClause): FieldShape =>
  clause.kind === 'leaf' ? clause.expression.field : clause.field;

/** What related rows must be is not shown: the caller may not know their fields. */
const failureOf = (clause: FailedClause): FailedConstraint =>
  clause.kind === 'leaf' ? failureOfLeaf(clause) : { field: clause.field.name };

/** The bound is shown where it is written in the rule, and not where it is a value from someone's row. */
function failureOfLeaf(leaf: BoundLeaf): FailedConstraint {
  const { field, fn } = leaf.expression;
  const [bound] = leaf.operands;
  const valid = leaf.test === 'in' || leaf.test === 'between' ? leaf.operands : bound;
  return {
    field: fn === null ? field.name : `${fn}(${field.name})`,
    type: operatorName({ ...leaf, test: leaf.written ?? leaf.test }).slice(1),
    ...(leaf.operands.length > 0 && !leaf.variable && { valid }),
  };
}

/**
 * Judges rows as stored after the last write, and locks the parents they are judged on until the commit. An
 * administrator's rows need no judging.
 * @param known the answers about the only row, where they are already available, or `met` where it meets the rules
 */
export async function judgeStored(
  scope: CollectionWrite,
  rows: readonly Judged[],
  known?: SoleRow['judged'],
): Promise<void> {
  if (scope.decision.unrestricted || known === 'met') return;
  const filters = judgedFilters(scope.decision);
  // Which fields may be written is known without looking at the rows.
  if (filters.every(isEverything)) return judgeAlike(scope, rows);
  if (known) return judgeAll(scope, known, rows);
  const keys = keysOf(rows);
  // A new row is locked by nobody else, so nobody who has locked a parent of it waits for it.
  const when = scope.decision.action === 'create' ? 'waiting' : 'nowait';
  await lockParents(scope, keys, filters, when);
  const real = realScope(scope.registry, scope.collection);
  const from = `${fromOf(real)} WHERE ${isOneOf(real, keys)}`;
  const absent = { targets: hiddenOf(rows), lists: false };
  await judgeAll(scope, await askRows(scope, scope.tx, real, from, absent), rows);
}

/**
 * Judges a row that could not be inserted, as it would have been: nothing refers to it yet.
 * @param unseen foreign keys that were sent for it and refer to rows that the caller does not see: rules treat these as
 * missing
 */
export async function judgeInserted(
  scope: CollectionWrite,
  queries: Queries,
  values: Values,
  judged: Judged,
  unseen: readonly string[],
): Promise<void> {
  if (scope.decision.unrestricted) return;
  const real = realScope(scope.registry, scope.collection);
  const from = `${prospectiveInsert(real, values)} ${real.alias}`;
  const absent = { targets: [...unseen, ...judged.hidden], lists: true };
  const { questions, rows } = await askRows(scope, queries, real, from, absent);
  const [row] = rows.values();
  if (!row) throw new Forbidden({});
  const view = questions.view(scope.collection, row, judged.values);
  await questions.searchLongTexts(view);
  judgeRow(scope, view, judged);
}

/**
 * Judges rows that could not be given the same values, as they would have been.
 * @param unseen as for a row that could not be inserted
 */
export async function judgeUpdated(
  scope: CollectionWrite,
  queries: Queries,
  values: Values,
  rows: readonly Judged[],
  unseen: readonly string[],
): Promise<void> {
  if (scope.decision.unrestricted) return;
  const real = realScope(scope.registry, scope.collection);
  const from = `${prospectiveUpdate(real, keysOf(rows), values)} ${real.alias}`;
  const absent = { targets: [...unseen, ...hiddenOf(rows)], lists: false };
  await judgeAll(scope, await askRows(scope, queries, real, from, absent), rows);
}

/** For rules that do not depend on the row. */
async function judgeAlike(scope: CollectionWrite, all: readonly Judged[]): Promise<void> {
  const none = new RowQuestions([]).view(scope.collection, {}, new Map());
  await inTurns(all, ROWS_PER_TURN, (judged) =>
    aboutItem(judged.item, () => judgeRow(scope, none, judged)),
  );
}

async function judgeAll(
  scope: CollectionWrite,
  { questions, rows }: Answers,
  all: readonly Judged[],
): Promise<void> {
  await inTurns(all, ROWS_PER_TURN, (judged) => {
    questions.refuseTooMany();
    return aboutItem(judged.item, () => judgeOne(scope, { questions, rows }, judged));
  });
}

function judgeOne(
  scope: CollectionWrite,
  { questions, rows }: Answers,
  judged: Judged,
): void | Promise<void> {
  const row = rows.get(String(judged.key));
  if (!row) throw new Forbidden({});
  const view = questions.view(scope.collection, row, judged.values);
  const searching = questions.searchLongTexts(view);
  if (searching) return searching.then(() => judgeRow(scope, view, judged));
  return judgeRow(scope, view, judged);
}

async function askRows(
  scope: CollectionWrite,
  queries: Queries,
  real: TableScope,
  from: string,
  absent?: Absent,
): Promise<Answers> {
  const questions = new RowQuestions(judgedFilters(scope.decision), absent);
  const cells = [...questions.columns(real), `${keyIn(real)} AS "$key"`].join(', ');
  const text = `SELECT ${cells} FROM ${from}`;
  const compiled = real.statement.compiled(text);
  const { take } = new CharacterBudget();
  const { names, rows } = await queries.table(compiled.text, compiled.values, take);
  const answers = rows.map((cells) =>
    Object.fromEntries(names.map((name, at) => [name, cells[at]])),
  );
  return { questions, rows: new Map(answers.map((row) => [`${row['$key'] as Key}`, row])) };
}

const hiddenOf = ([first]: readonly Judged[]): readonly string[] => first?.hidden ?? [];

export const keysOf = (rows: readonly Judged[]): Key[] => rows.map(({ key }) => key);
