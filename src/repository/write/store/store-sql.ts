import type { BoundFilter } from '../../../engine';
import { compileFilter } from '../../compile/compile-filter';
import { cellIn, fromOf, innerScope, isOneOf, keyIn, type TableScope } from '../../compile/scope';
import { and, type Compiled } from '../../compile/statement';
import type { Key, Values } from '../../hooks';
import { columnOf, columnsBySql } from '../../registry/stored-collection';
import type { LoggedColumns } from '../log/logged-columns';
import type { WriteLock } from '../lock/lock-sql';
import type { RecordedEntry } from '../log/recorded-entry';
import type { ReturnedRow } from './returned-row';
import { bindCell, settingOf } from './write-sql';

/**
 * @param scope any scope of the statement
 * @param skipsTakenKey where the key is taken, return no row instead of an error
 */
export function compileInsert(
  scope: TableScope,
  values: Values,
  skipsTakenKey: boolean,
  { returned, recorded }: StatementExtras,
): Compiled {
  const { statement, collection } = scope;
  const columns = [...values].map(([name, cell]) => {
    const column = columnOf(collection, name);
    return { name: column.sql, value: bindCell(statement, column, cell) };
  });
  // A key drawn from the column's own sequence is allowed even where the column accepts no others.
  const overriding = skipsTakenKey && values.has(collection.key) ? ' OVERRIDING SYSTEM VALUE' : '';
  const row =
    columns.length === 0
      ? 'DEFAULT VALUES'
      : `(${columns.map(({ name }) => name).join(', ')})${overriding} VALUES (${columns.map(({ value }) => value).join(', ')})`;
  const key = columnOf(collection, collection.key).sql;
  const onConflict = skipsTakenKey ? ` ON CONFLICT (${key}) DO NOTHING` : '';
  const insert = `INSERT INTO ${collection.table} ${row}${onConflict} RETURNING`;
  if (!returned && !recorded) return statement.compiled(`${insert} ${key} AS key`);
  const entry = recorded?.(statement, '"$stored"', key);
  const noting = entry === undefined ? '' : `, "$entry" AS (${entry})`;
  const stored = selectStored(scope, () => [], returned);
  return statement.compiled(
    `WITH "$stored" AS (${insert} ${stored.columns.join(', ')})${noting} ${stored.text}`,
  );
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
  keys: readonly Key[],
  values: Values,
  condition: BoundFilter,
  { logged, returned, recorded, lock }: UpdateExtras,
): Compiled {
  const { statement, collection } = scope;
  const key = columnOf(collection, collection.key).sql;
  const cells = [collection.key, ...values.keys()].map((name) => cellIn(scope, name));
  const where = and(isOneOf(scope, keys), compileFilter(condition, scope));
  const was = `SELECT ${cells.join(', ')} FROM ${fromOf(scope)} WHERE ${where} FOR ${lock}`;
  const sets = settingOf(statement, collection, values);
  const changes = ({ alias }: TableScope): string[] => logged.changes(statement, 'was', alias);
  const { text, columns } = selectStored(scope, changes, returned, '"$was" was');
  const returning = columns.map((sql) => `stored.${sql}`).join(', ');
  const update = `UPDATE ${collection.table} AS stored SET ${sets} FROM "$was" was WHERE stored.${key} = was.${key} RETURNING ${returning}`;
  const stored = `"$was" AS (${was}), "$stored" AS (${update})`;
  if (!recorded) return statement.compiled(`WITH ${stored} ${text}`);
  const entry = recorded(statement, '"$row"', 'key');
  return statement.compiled(
    `WITH ${stored}, "$row" AS (${text}), "$entry" AS (${entry}) SELECT * FROM "$row"`,
  );
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
 * @param beside what the row is joined to
 * @returns the SELECT, and the columns that it reads of the row
 */
function selectStored(
  scope: TableScope,
  own: (row: TableScope) => readonly string[],
  returned: ReturnedRow | undefined,
  beside?: string,
): { readonly text: string; readonly columns: readonly string[] } {
  const row = innerScope(scope, scope.collection, scope.position);
  const asked = [`${keyIn(row)} AS key`, ...own(row)];
  const shown = returned?.columns(row, asked) ?? asked;
  const stored = `"$stored" ${row.alias}`;
  const from = beside === undefined ? stored : `${beside} LEFT JOIN ${stored} ON TRUE`;
  const text = `SELECT ${shown.join(', ')} FROM ${from}${row.conditions.source()}`;
  const names = [...columnsBySql(row.collection).keys()];
  // A column that is not read would still be carried through the statement.
  return { text, columns: names.filter((sql) => text.includes(`${row.alias}.${sql}`)) };
}
