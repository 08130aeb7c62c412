import type { BoundFilter } from '../../engine';
import { keyIn, type Scope } from '../compile/scope';
import type { Queries } from '../../database/database';
import type { Key, Values } from '../hooks';
import { type Judged, judgeRow } from './judge';
import { lockParents } from './lock-parents';
import { type Absent, RowQuestions } from './stored-row';
import { realScope, type WriteScope } from './write-scope';
import { keyList, prospectiveInsert, prospectiveUpdate } from './write-sql';
import { Forbidden } from '../../common/errors';

/**
 * Judges rows as they are stored after the last write, and holds the parents that they are judged on until the commit.
 * An administrator's need no judging.
 */
export async function judgeStored(scope: WriteScope, rows: readonly Judged[]): Promise<void> {
  if (scope.decision.unrestricted) return;
  const keys = keysOf(rows);
  await lockParents(scope, keys, filtersOf(scope));
  const real = realScope(scope.registry, scope.collection);
  const which = `${keyIn(real)} = ANY(${keyList(real, keys)})`;
  const from = `${scope.collection.table} ${real.alias} WHERE ${which}`;
  judgeAll(scope, await askRows(scope, scope.tx, real, from), rows);
}

/**
 * Judges a row that could not be inserted, as it would have been: nothing refers to it yet.
 * @param unseen foreign keys that were sent for it and lead to nothing that the caller sees: to the rules, to nothing
 */
export async function judgeInserted(
  scope: WriteScope,
  queries: Queries,
  values: Values,
  judged: Judged,
  unseen: readonly string[],
): Promise<void> {
  if (scope.decision.unrestricted) return;
  const real = realScope(scope.registry, scope.collection);
  const from = `${prospectiveInsert(real, values)} ${real.alias}`;
  const absent = { targets: unseen, lists: true };
  const { questions, rows } = await askRows(scope, queries, real, from, absent);
  const [row] = rows.values();
  if (!row) throw new Forbidden({});
  judgeRow(scope.decision, questions.view(scope.collection, row, judged.sent), judged);
}

/**
 * Judges rows that could not be given the same values, as they would have been.
 * @param unseen as for a row that could not be inserted
 */
export async function judgeUpdated(
  scope: WriteScope,
  queries: Queries,
  values: Values,
  rows: readonly Judged[],
  unseen: readonly string[],
): Promise<void> {
  if (scope.decision.unrestricted) return;
  const real = realScope(scope.registry, scope.collection);
  const from = `${prospectiveUpdate(real, keysOf(rows), values)} ${real.alias}`;
  const absent = { targets: unseen, lists: false };
  judgeAll(scope, await askRows(scope, queries, real, from, absent), rows);
}

function judgeAll(scope: WriteScope, { questions, rows }: Answers, all: readonly Judged[]): void {
  for (const judged of all) {
    const row = rows.get(String(judged.key));
    if (!row) throw new Forbidden({});
    judgeRow(scope.decision, questions.view(scope.collection, row, judged.sent), judged);
  }
}

interface Answers {
  readonly questions: RowQuestions;
  readonly rows: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
}

async function askRows(
  scope: WriteScope,
  queries: Queries,
  real: Scope,
  from: string,
  absent?: Absent,
): Promise<Answers> {
  const questions = new RowQuestions(filtersOf(scope), absent);
  const text = `SELECT ${questions.columns(real)}, ${keyIn(real)} AS "$key" FROM ${from}`;
  const compiled = real.statement.compiled(text);
  const rows = await queries.query(compiled.text, compiled.values);
  return { questions, rows: new Map(rows.map((row) => [`${row['$key'] as Key}`, row])) };
}

/** What is judged on the resulting row: an update's rows were met before. */
const filtersOf = ({ decision }: WriteScope): BoundFilter[] =>
  decision.cases.flatMap(({ rows, validation }) =>
    decision.action === 'create' ? [rows, validation] : [validation],
  );

export const keysOf = (rows: readonly Judged[]): Key[] => rows.map(({ key }) => key);
