import type { BoundFilter } from '../../../engine';
import { compileFilter } from '../../compile/compile-filter';
import { cellIn, fromOf, innerScope, isOneOf, keyIn, type TableScope } from '../../compile/scope';
import { and } from '../../compile/statement';
import { columnOf, columnsBySql } from '../../registry/stored-collection';
import type { LoggedColumns } from '../log/logged-columns';
import type { WriteLock } from '../lock/lock-sql';
import type { RecordedEntry } from '../log/recorded-entry';
import type { ReturnedRow, ShownRow } from './returned-row';
import { bindStored, storedKey, type StoringStatement } from './storing-statement';
import { settingOf } from './write-sql';

/**
 * @param scope any scope of the statement
 * @param names of the fields with values
 * @param skipsTakenKey where the key is taken, return no row instead of an error
 */
export function compileInsert(
  scope: TableScope,
  names: readonly string[],
  skipsTakenKey: boolean,
  { returned, recorded }: StatementExtras,
): StoringStatement {
  const { statement, collection } = scope;
  const columns = names.map((name) => {
    const column = columnOf(collection, name);
    return { name: column.sql, value: bindStored(statement, column, name) };
  });
  // A key drawn from the column's own sequence is allowed even where the column accepts no others.
  const overriding =
    skipsTakenKey && names.includes(collection.key) ? ' OVERRIDING SYSTEM VALUE' : '';
  const row =
    columns.length === 0
      ? 'DEFAULT VALUES'
      : `(${columns.map(({ name }) => name).join(', ')})${overriding} VALUES (${columns.map(({ value }) => value).join(', ')})`;
  const key = columnOf(collection, collection.key).sql;
  const onConflict = skipsTakenKey ? ` ON CONFLICT (${key}) DO NOTHING` : '';
  const insert = `INSERT INTO ${collection.table} ${row}${onConflict} RETURNING`;
  if (!returned && !recorded)
    return { ...statement.compiled(`${insert} ${key} AS key`), ...ownAlone(1) };
  const entry = recorded?.compile(statement, '"$stored"', key);
  const noting = entry === undefined ? '' : `, "$entry" AS (${entry})`;
  const { text, columns: read, shown } = selectStored(scope, () => [], returned);
  return {
    ...statement.compiled(`WITH "$stored" AS (${insert} ${read.join(', ')})${noting} ${text}`),
    ...shown,
  };
}

/**
 * Locks one row if it matches a condition on its own columns, and updates it. A row is returned if it was locked; its
 * cells are null where a trigger of the database prevented the update.
 *
 * If another transaction has just changed the row, the lock waits, and PostgreSQL then uses its newest version: both
 * the condition and the replaced values are those of the locked row, not of the snapshot.
 * ```sql
 * WITH "$was" AS (SELECT t0."id", t0."qty" FROM "articles" t0 WHERE (t0."id" = $1::int4 AND …) FOR NO KEY UPDATE),
 * "$stored" AS (UPDATE "articles" AS stored SET "qty" = $2::int4 FROM "$was" AS was
 *   WHERE stored."id" = was."id" RETURNING stored."id", stored."qty", …)
 * SELECT t1."id" AS key, … FROM "$was" was LEFT JOIN "$stored" t1 ON TRUE
 * ```
 * With an entry of the log, the last SELECT is named `"$row"`, and the entry is made from it.
 */
export function compileLockingUpdate(
  scope: TableScope,
  names: readonly string[],
  condition: BoundFilter,
  { logged, returned, recorded, lock }: UpdateExtras,
): StoringStatement {
  const { statement, collection } = scope;
  const key = columnOf(collection, collection.key).sql;
  const cells = [collection.key, ...names].map((name) => cellIn(scope, name));
  const where = and(isOneOf(scope, [storedKey]), compileFilter(condition, scope));
  const was = `SELECT ${cells.join(', ')} FROM ${fromOf(scope)} WHERE ${where} FOR ${lock}`;
  const sets = settingOf(collection, names, (column, name) => bindStored(statement, column, name));
  const changes = ({ alias }: TableScope): string[] => logged.changes(statement, 'was', alias);
  const { text, columns, shown } = selectStored(scope, changes, returned, '"$was" was');
  const returning = columns.map((sql) => `stored.${sql}`).join(', ');
  const update = `UPDATE ${collection.table} AS stored SET ${sets} FROM "$was" was WHERE stored.${key} = was.${key} RETURNING ${returning}`;
  const stored = `"$was" AS (${was}), "$stored" AS (${update})`;
  if (!recorded) return { ...statement.compiled(`WITH ${stored} ${text}`), ...shown };
  const entry = recorded.compile(statement, '"$row"', 'key');
  const noting = `"$row" AS (${text}), "$entry" AS (${entry})`;
  return { ...statement.compiled(`WITH ${stored}, ${noting} SELECT * FROM "$row"`), ...shown };
}

interface UpdateExtras extends StatementExtras {
  readonly logged: LoggedColumns;
  readonly lock: WriteLock;
}

/** What else the statement does besides storing the row. */
export interface StatementExtras {
  readonly returned: ReturnedRow | undefined;
  readonly recorded: RecordedEntry | undefined;
}

/**
 * The columns read of the row that the statement stores, as `"$stored"`.
 * @param own columns besides the key
 * @param joinedTo what the row is joined to
 * @returns the SELECT, and the columns that it reads of the row
 */
function selectStored(
  scope: TableScope,
  own: (row: TableScope) => readonly string[],
  returned: ReturnedRow | undefined,
  joinedTo?: string,
): SelectedRow {
  const row = innerScope(scope, scope.collection, scope.position);
  const ownColumns = [`${keyIn(row)} AS key`, ...own(row)];
  const { columns, ...shown } = returned?.columns(row, ownColumns) ?? {
    columns: ownColumns,
    ...ownAlone(ownColumns.length),
  };
  const stored = `"$stored" ${row.alias}`;
  const from = joinedTo === undefined ? stored : `${joinedTo} LEFT JOIN ${stored} ON TRUE`;
  const text = `SELECT ${columns.join(', ')} FROM ${from}${row.conditions.source()}`;
  const names = [...columnsBySql(row.collection).keys()];
  // A column that is not read would still be carried through the statement.
  const read = names.filter((sql) => text.includes(`${row.alias}.${sql}`));
  return { text, columns: read, shown };
}

interface SelectedRow {
  readonly text: string;
  readonly columns: readonly string[];
  readonly shown: Omit<ShownRow, 'columns'>;
}

const ownAlone = (columns: number): SelectedRow['shown'] => ({ own: columns, judged: columns });
