import { jsonList } from '../../../common/json-list';
import { inTurns } from '../../../common/next-turn';
import type { Key, Values } from '../../write-context';
import type { Compiled } from '../../compile/statement';
import { columnOf } from '../../registry/stored-collection';
import { quote } from '../../../database/quote';
import { isDatabaseRefusal } from '../judge/constraint-fault';
import { type Judged, judgedOf } from '../judge/judged';
import { drawKeys, exceedsMaxKey } from './generated-keys';
import { ROWS_PER_TURN, isNested, type RowsPlan } from '../plan/plan';
import { LoggedColumns, type LoggedRow } from '../log/logged-columns';
import { byColumns, chunksOf } from './row-chunks';
import { type TableFacts, tableFacts } from './table-facts';
import { areAlike } from './updates';
import type { CollectionWrite } from '../collection-write';
import { compileInserts, compileUpdates } from './write-sql';

/** Fewer rows take no more statements one by one. */
const MANY = 4;

/**
 * Stores the rows of a plan with one statement per set of columns, where storing them one by one would have the same
 * result: nothing is written between two of them, and nothing has to be read for each. If the database refuses or skips
 * one of them, all is rolled back.
 * @returns undefined where nothing was written, and the rows must be stored one by one
 */
export async function storeMany(
  scope: CollectionWrite,
  plan: RowsPlan,
  filled: Values,
): Promise<Judged[] | undefined> {
  if (plan.rows.length < MANY || !isPlain(scope, plan)) return undefined;
  const rows: Judged[] = [];
  await inTurns(
    plan.rows,
    ROWS_PER_TURN,
    (row) => void rows.push(judgedOf(row, filled, scope.collection)),
  );
  if (plan.action === 'update' && areMostlyAlike(rows)) return undefined;
  const facts = await tableFacts(scope);
  if (plan.action === 'create') return undoable(scope, () => insertMany(scope, facts, rows));
  if (setsUnshared(scope, facts, rows)) return undefined;
  return undoable(scope, () => updateMany(scope, rows));
}

const isPlain = (
  { hooks, collection, caller }: CollectionWrite,
  { rows, unseen, maxNewKey }: RowsPlan,
) =>
  !hooks.toStored &&
  (hooks.required?.(caller) ?? []).length === 0 &&
  !unseen &&
  rows.every((row) => !isNested(row) && !exceedsMaxKey(row, collection, maxNewKey));

/** Rows with equal values are updated together anyway. */
function areMostlyAlike(rows: readonly Judged[]): boolean {
  const changes = rows.filter((row, index) => {
    const before = rows[index - 1];
    return !before || !areAlike(before.values, row.values);
  });
  return changes.length < MANY;
}

function setsUnshared(
  { collection }: CollectionWrite,
  { unshared }: TableFacts,
  rows: readonly Judged[],
): boolean {
  const columns = new Set(unshared.map(quote));
  return rows.some(({ values }) =>
    [...values.keys()].some((name) => columns.has(columnOf(collection, name).sql)),
  );
}

async function undoable(
  { tx }: CollectionWrite,
  work: () => Promise<Judged[] | undefined>,
): Promise<Judged[] | undefined> {
  await tx.query('SAVEPOINT many_rows');
  const stored = await unlessRefused(work);
  await tx.query(stored ? 'RELEASE SAVEPOINT many_rows' : 'ROLLBACK TO SAVEPOINT many_rows');
  return stored;
}

async function unlessRefused<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (isDatabaseRefusal(error)) return undefined;
    throw error;
  }
}

/** Keys are drawn first: the database does not return the rows in a guaranteed order. */
async function insertMany(
  scope: CollectionWrite,
  facts: TableFacts,
  rows: readonly Judged[],
): Promise<Judged[] | undefined> {
  const { collection } = scope;
  const isKeyless = ({ values }: Judged): boolean => !values.has(collection.key);
  const count = rows.filter(isKeyless).length;
  // A key sent for one row may be the next one drawn for another, so their order would matter.
  if (count > 0 && count < rows.length) return undefined;
  const drawn = count === 0 ? [] : await drawKeys(scope, facts, count);
  if (drawn.length < count) return undefined;
  const next = drawn.values();
  const keyed = rows.map((row) => ({
    ...row,
    key: isKeyless(row) ? (next.next().value ?? '') : (row.values.get(collection.key) as Key),
  }));
  for (const [names, group] of byColumns(keyed)) {
    const isDrawn = !names.includes(collection.key);
    const columns = isDrawn ? [collection.key, ...names] : names;
    const compile = (json: string): Compiled => compileInserts(collection, columns, json, isDrawn);
    if (!(await store(scope, group, columns, compile))) return undefined;
  }
  const length = scope.log.lengthFor(keyed.reduce((sum, { values }) => sum + values.size, 0));
  await inTurns(keyed, ROWS_PER_TURN, ({ key, values }) =>
    scope.log.created(collection, key, scope.log.keptOfNew(collection, values, length)),
  );
  return keyed;
}

async function updateMany(
  scope: CollectionWrite,
  rows: readonly Judged[],
): Promise<Judged[] | undefined> {
  const { collection, log } = scope;
  const notes: (() => void)[] = [];
  for (const [names, group] of byColumns(rows)) {
    if (names.length === 0) continue;
    const columns = [collection.key, ...names];
    const logged = LoggedColumns.of(log, collection, names, rows.length);
    const compile = (json: string): Compiled => compileUpdates(collection, columns, json, logged);
    const note = (row: LoggedRow): void => void notes.push(() => logged.noteUpdated(log, row));
    if (!(await store(scope, group, columns, compile, note))) return undefined;
  }
  scope.before.noteWritten(rows.map(({ key }) => key));
  await inTurns(notes, ROWS_PER_TURN, (note) => note());
  return [...rows];
}

/** @returns whether each of the rows was stored under its key */
async function store(
  scope: CollectionWrite,
  rows: readonly Judged[],
  columns: readonly string[],
  compile: (json: string) => Compiled,
  note?: (row: LoggedRow) => void,
): Promise<boolean> {
  const { tx, collection } = scope;
  for (const chunk of await chunksOf(rows, collection.key, columns)) {
    const { text, values } = compile(jsonList(chunk.texts));
    const done = await tx.query<LoggedRow>(text, values);
    if (note) for (const row of done) note(row);
    const keys = new Set(done.map(({ key }) => String(key)));
    if (!chunk.keys.every((key) => keys.has(String(key)))) return false;
  }
  return true;
}
