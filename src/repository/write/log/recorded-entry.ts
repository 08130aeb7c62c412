import { literal } from '../../../database/quote';
import type { Statement } from '../../compile/statement';
import type { EntryCompiler, EntrySql } from '../../hooks';
import { columnOf } from '../../registry/stored-collection';
import type { CollectionWrite } from '../collection-write';
import { kindOf, type LoggedColumns } from './logged-columns';
import type { RowsPlan } from '../plan/plan';
import { recordedShort } from './recorded-json';
import { isLastWrite } from '../store/returned-row';
import type { Placeholder } from '../store/storing-statement';
import { type TableFacts, tableFacts, typeIn } from '../store/table-facts';

/** Types of keys that PostgreSQL and JavaScript write alike. */
const KEYS: readonly (string | undefined)[] = [
  'smallint',
  'integer',
  'bigint',
  'uuid',
  'text',
  'character varying',
];
/** An entry about more columns would make a statement too long to be prepared. */
const MANY = 8;

/** How a value of a row is written in the entry, from what `LoggedColumns.changes` returns of it. */
interface RecordedColumn {
  /** The field's name, as SQL. */
  readonly name: string;
  /** @param maxLength binds how many characters are kept */
  readonly json: (cell: string, maxLength: () => string) => string;
  /** Whether the value may be long. */
  readonly mayBeCut: boolean;
}

/** The log's entry about the only row of a request, written by the statement that stores the row. */
export interface RecordedEntry {
  /** For the statement's placeholders. */
  readonly actor: readonly unknown[];
  /**
   * @param row the CTE with the row
   * @param key the row's key in it
   * @returns an INSERT
   */
  readonly compile: (statement: Statement, row: string, key: string) => string;
}

const keptFields: Placeholder = ({ kept }) => kept?.fields;
const keptCut: Placeholder = ({ kept }) => kept?.cut;
const keptAfter: Placeholder = ({ kept }) => kept?.after && JSON.stringify(kept.after);
const reasonOfSystem: Placeholder = ({ system }) => system;
const actorPlaceholder =
  (at: number): Placeholder =>
  ({ actor }) =>
    actor?.[at];

/** @returns undefined where the entry has to be written before the commit */
export async function recordedCreate(
  scope: CollectionWrite,
  plan: RowsPlan,
): Promise<RecordedEntry | undefined> {
  const compiler = await compilerFor(scope, plan);
  if (!compiler) return undefined;
  return {
    actor: compiler.actor,
    compile: (statement, row, key) =>
      compileAbout(scope, statement, compiler, {
        from: `FROM ${row}`,
        item: `${key}::text`,
        fields: statement.bind(keptFields, 'text[]'),
        cut: statement.bind(keptCut, 'text[]'),
        before: 'NULL::jsonb',
        after: statement.bind(keptAfter, 'jsonb'),
      }),
  };
}

/**
 * The row must have the columns of `logged.changes`.
 * @returns undefined where the entry has to be written before the commit
 */
export async function recordedUpdate(
  scope: CollectionWrite,
  plan: RowsPlan,
  logged: LoggedColumns,
): Promise<RecordedEntry | undefined> {
  const { length, names } = logged;
  if (length === 0 || names.length > MANY) return undefined;
  const compiler = await compilerFor(scope, plan);
  const columns = compiler && recordedColumns(scope, await tableFacts(scope), logged);
  if (!columns) return undefined;
  const compileRecorded: RecordedEntry['compile'] = (statement, row, key) => {
    const maxLength = (): string => statement.bind(length, 'int4');
    const changed = columns.map((_, at) => `x${at}`).join(' OR ');
    return compileAbout(scope, statement, compiler, {
      from: `FROM ${row} WHERE ${key} IS NOT NULL AND (${changed})`,
      item: `${key}::text`,
      fields: namesWhere(columns, (_, at) => `x${at}`),
      cut: namesWhere(columns, ({ mayBeCut }, at) => mayBeCut && isCut(at, maxLength())),
      before: jsonOf(columns, 'o', maxLength),
      after: jsonOf(columns, 'n', maxLength),
    });
  };
  return { actor: compiler.actor, compile: compileRecorded };
}

async function compilerFor(
  scope: CollectionWrite,
  plan: RowsPlan,
): Promise<EntryCompiler | undefined> {
  const { log, collection, commitHooks, caller } = scope;
  // The log has the entries of what hooks wrote earlier first.
  if (!isLastWrite(scope, plan) || log.entries.length > 0) return undefined;
  const facts = await tableFacts(scope);
  if (!facts.final || !KEYS.includes(typeIn(facts, collection, collection.key))) return undefined;
  return commitHooks.entryCompiler?.(caller);
}

function compileAbout(
  { collection, decision }: CollectionWrite,
  statement: Statement,
  { casts, compile }: EntryCompiler,
  kept: Omit<EntrySql, 'action' | 'collection' | 'system'>,
): string {
  const about = {
    action: statement.bind(decision.action, 'text'),
    collection: statement.bind(collection.name, 'text'),
    system: statement.bind(reasonOfSystem, 'text'),
  };
  const actor = casts.map((cast, at) => statement.bind(actorPlaceholder(at), cast));
  return compile({ ...kept, ...about }, actor);
}

/** @returns undefined where PostgreSQL might write one of the values in another way than `LoggedColumns` reads it */
function recordedColumns(
  { collection }: CollectionWrite,
  facts: TableFacts,
  logged: LoggedColumns,
): readonly RecordedColumn[] | undefined {
  const columns = logged.names.flatMap((field): RecordedColumn[] => {
    const name = literal(field);
    const column = columnOf(collection, field);
    const isLong = kindOf(column) === 'text';
    const json = isLong ? beginningAsJson : recordedShort(column, typeIn(facts, collection, field));
    if (logged.isConcealed(field)) return [{ name, json: wholeAsJson, mayBeCut: false }];
    return json ? [{ name, json, mayBeCut: isLong }] : [];
  });
  return columns.length === logged.names.length ? columns : undefined;
}

const beginningAsJson = (cell: string, maxLength: () => string): string =>
  `to_jsonb(left(${cell}, ${maxLength()}))`;
const wholeAsJson = (cell: string): string => `to_jsonb(${cell})`;

const isCut = (at: number, maxLength: string): string =>
  `length(o${at}) > ${maxLength} OR length(n${at}) > ${maxLength}`;

/** @param condition under which a column is named; false: never */
function namesWhere(
  columns: readonly RecordedColumn[],
  condition: (column: RecordedColumn, at: number) => string | false,
): string {
  const names = columns.flatMap((column, at) => {
    const holds = condition(column, at);
    return holds === false ? [] : [`CASE WHEN ${holds} THEN ${column.name} END`];
  });
  return names.length === 0 ? `'{}'::text[]` : `array_remove(ARRAY[${names.join(', ')}], NULL)`;
}

const jsonOf = (
  columns: readonly RecordedColumn[],
  prefix: string,
  maxLength: () => string,
): string =>
  columns
    .map(({ name, json }, at) => {
      const value = `jsonb_build_object(${name}, ${json(`${prefix}${at}`, maxLength)})`;
      return columns.length === 1 ? value : `CASE WHEN x${at} THEN ${value} ELSE '{}' END`;
    })
    .join(' || ');
