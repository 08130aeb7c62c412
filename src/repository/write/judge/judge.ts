import { isEverything } from '../../../engine';
import { Forbidden } from '../../../common/errors';
import { inTurns } from '../../../common/next-turn';
import type { Queries } from '../../../database/database';
import { fromOf, isOneOf, keyIn, type TableScope } from '../../compile/scope';
import type { Key, Values } from '../../write-context';
import { aboutItem } from '../about-item';
import { CharacterBudget } from '../character-budget';
import { realScope, type CollectionWrite } from '../collection-write';
import { lockParents } from '../lock/lock-parents';
import { ROWS_PER_TURN } from '../plan/plan';
import type { SoleRow } from '../store/sole-row';
import { prospectiveInsert, prospectiveUpdate } from '../store/write-sql';
import { judgeRow } from './judge-row';
import { type Judged, keysOf } from './judged';
import { judgedFilters } from './judged-filters';
import { type Absent, type Answers, RowQuestions } from './stored-row';

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
