import {
  type Cell,
  variableText,
  everything,
  type StoredField,
  CALLER_COLLECTIONS,
  type PathVariable,
} from '../../engine';
import type { Queries } from '../../database/database';
import type { TableView } from '../compile/scope';
import type { BoundQuery } from '../query/query';
import { type Row, RowReader } from './row-reader';

/** The row where a path starts: the caller's own, or their role's. */
type StartOf = (kind: PathVariable['kind']) => string | null;

/**
 * Reads the values of path variables.
 * @param view the real tables for rules, the caller's own for queries
 * @returns the values by the variable's written form; null for a missing row
 */
export async function readVariables(
  variables: readonly PathVariable[],
  startOf: StartOf,
  view: TableView,
  database: Queries,
): Promise<ReadonlyMap<string, Cell>> {
  const reader = new RowReader(database, view);
  const values = new Map<string, Cell>();
  for (const variable of variables) {
    const key = startOf(variable.kind);
    const query = pathQuery(view, CALLER_COLLECTIONS[variable.kind], variable.path);
    const { rows } =
      key === null ? { rows: [] } : await reader.page(query, undefined, { keys: [key] });
    values.set(variableText(variable), follow(rows[0], variable.path));
  }
  return values;
}

function pathQuery(view: TableView, collection: string, path: readonly string[]): BoundQuery {
  const [name = '', ...rest] = path;
  const field = view.registry.table(collection).fields.get(name) as StoredField | undefined;
  const query = {
    collection,
    filter: everything,
    search: null,
    sort: [],
    limit: null,
    offset: 0,
  };
  if (!field) return { ...query, fields: [], relations: [] };
  if (rest.length === 0 || field.kind !== 'to-one') {
    return { ...query, fields: [{ as: name, field, fn: null }], relations: [] };
  }
  const inner = pathQuery(view, field.target, rest);
  return { ...query, fields: [], relations: [{ as: name, field, query: inner, keysOnly: false }] };
}

function follow(row: Row | undefined, path: readonly string[]): Cell {
  const [name = '', ...rest] = path;
  const value = row?.[name] ?? null;
  return rest.length === 0
    ? (value as Cell)
    : follow((value ?? undefined) as Row | undefined, rest);
}
