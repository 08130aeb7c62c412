import type { BoundFilter } from '../../access';
import { keyIn, type Scope } from '../compile/compile-filter';
import type { Queries } from '../../database/database';
import type { Key, Values } from '../hooks';
import { type Judged, judgeRow } from './judge';
import { RowQuestions } from './stored-row';
import { realScope, type WriteScope } from './write-scope';
import { keyList, prospectiveInsert, prospectiveUpdate } from './write-sql';
import { Forbidden } from '../../common/errors';

/** Judges rows as they are stored after the last write; an administrator's need no judging. */
export async function judgeStored(scope: WriteScope, rows: readonly Judged[]): Promise<void> {
  if (scope.decision.unrestricted) return;
  const real = realScope(scope.registry, scope.collection);
  const keys = keyList(
    real,
    rows.map(({ key }) => key),
  );
  const from = `${scope.collection.table} ${real.alias} WHERE ${keyIn(real)} = ANY(${keys})`;
  const stored = await askRows(scope, scope.tx, real, from);
  for (const judged of rows) {
    const row = stored.rows.get(String(judged.key));
    if (!row) throw new Forbidden({});
    judgeRow(scope.decision, stored.questions.view(scope.collection, row, judged.sent), judged);
  }
}

/** Judges a row that could not be stored, as it would have been. */
export async function judgeProspective(
  scope: WriteScope,
  queries: Queries,
  values: Values,
  judged: Judged,
  action: 'create' | 'update',
): Promise<void> {
  if (scope.decision.unrestricted) return;
  const real = realScope(scope.registry, scope.collection);
  const table =
    action === 'create'
      ? prospectiveInsert(real, values)
      : prospectiveUpdate(real, judged.key, values);
  const { questions, rows } = await askRows(scope, queries, real, `${table} ${real.alias}`);
  const [row] = rows.values();
  if (!row) throw new Forbidden({});
  judgeRow(scope.decision, questions.view(scope.collection, row, judged.sent), judged);
}

async function askRows(scope: WriteScope, queries: Queries, real: Scope, from: string) {
  const questions = new RowQuestions(filtersOf(scope));
  const text = `SELECT ${questions.columns(real)}, ${keyIn(real)} AS "$key" FROM ${from}`;
  const compiled = real.statement.compiled(text);
  const rows = await queries.query(compiled.text, compiled.values);
  return { questions, rows: new Map(rows.map((row) => [`${row['$key'] as Key}`, row])) };
}

const filtersOf = ({ decision }: WriteScope): BoundFilter[] =>
  decision.cases.flatMap((each) => [each.rows, each.validation]);

export const keysOf = (rows: readonly Judged[]): Key[] => rows.map(({ key }) => key);
