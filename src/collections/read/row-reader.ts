import { type BoundFilter, textOf, type ToManyShape, type Value } from '../../access';
import { InvalidQuery } from '../../common/errors';
import type { Queries, Table } from '../../database/database';
import {
  compileList,
  compileLists,
  compileTargets,
  FILTERED,
  KEY,
  linkName,
  PARENT,
  TOTAL,
  NUMBER,
  type Addressed,
} from '../compile/compile-rows';
import type { TableView } from '../compile/table-view';
import type { BoundQuery, Meta, SelectedRelation } from '../query/query';
import { presentCell } from '../registry/decode';

export type Row = Readonly<Record<string, unknown>>;
type Relation = SelectedRelation<BoundFilter>;

export interface Page {
  readonly rows: readonly Row[];
  /** The rows' keys, where rows were asked for by key. */
  readonly keys?: readonly unknown[];
  readonly total?: number;
  readonly filtered?: number;
}

/** Items of relations that an answer may hold: more would be put together and written out for longer than 50 ms. */
const MOST_RELATED = 20_000;

export const NO_META: Meta = { total: false, filtered: false };

/** How many related items stand below a row or in a list, each counted wherever it is repeated. */
class Weights {
  private readonly known = new WeakMap<object, number>();

  below(value: unknown): number {
    return typeof value === 'object' && value !== null ? (this.known.get(value) ?? 0) : 0;
  }

  add(value: object, inner: unknown): void {
    const own = Array.isArray(inner) || inner === null ? 0 : 1;
    this.known.set(value, this.below(value) + own + this.below(inner));
  }
}

/**
 * Reads what a query asks for: one statement for the rows, one more for each relation that is opened, never one
 * for each row.
 */
export class RowReader {
  private readonly weights = new Weights();

  constructor(
    private readonly database: Queries,
    private readonly view: TableView,
  ) {}

  async page(query: BoundQuery, meta: Meta = NO_META, addressed: Addressed = {}): Promise<Page> {
    const { text, values } = compileList(query, this.view, meta, addressed);
    const table = await this.database.table(text, values);
    const found = meta.total || meta.filtered ? withoutCounts(table) : table;
    return {
      rows: await this.assemble(query, found),
      ...(addressed.keys && { keys: cellsOf(found, KEY) }),
      ...(meta.total && { total: Number(cellsOf(table, TOTAL)[0]) }),
      ...(meta.filtered && { filtered: Number(cellsOf(table, FILTERED)[0]) }),
    };
  }

  private async assemble(query: BoundQuery, table: Table): Promise<Record<string, unknown>[]> {
    const rows = presentRows(query, table);
    if (query.relations.length === 0) return rows;
    for (const relation of query.relations) await this.open(relation, query, table, rows);
    refuseTooMany(rows.reduce((sum, row) => sum + this.weights.below(row), 0));
    return rows;
  }

  private async open(
    relation: Relation,
    query: BoundQuery,
    table: Table,
    rows: readonly Record<string, unknown>[],
  ): Promise<void> {
    const links = cellsOf(table, linkName(relation.as));
    const keys = [
      ...new Map(
        links.filter((link) => link !== null).map((link) => [keyText(link), link]),
      ).values(),
    ];
    const { field } = relation;
    const related =
      field.kind === 'to-one'
        ? await this.targets(relation, keys)
        : await this.lists(relation, field, query.collection, keys);
    const absent = field.kind === 'to-one' ? null : [];
    for (const [index, row] of rows.entries()) {
      const link = links[index] ?? null;
      const value = link === null ? null : (related.get(keyText(link)) ?? absent);
      row[relation.as] = value;
      this.weights.add(row, value);
    }
  }

  private async targets(
    relation: Relation,
    keys: readonly unknown[],
  ): Promise<ReadonlyMap<string, unknown>> {
    if (keys.length === 0) return new Map();
    const { text, values } = compileTargets(relation.query, this.view, keys);
    const table = await this.database.table(text, values);
    const rows = await this.assemble(relation.query, table);
    return new Map(cellsOf(table, KEY).map((key, index) => [keyText(key), rows[index]]));
  }

  private async lists(
    relation: Relation,
    field: ToManyShape,
    collection: string,
    keys: readonly unknown[],
  ): Promise<ReadonlyMap<string, unknown[]>> {
    if (keys.length === 0) return new Map();
    const parent = this.view.registry.table(collection);
    const { text, values } = compileLists(relation.query, field, parent, this.view, keys);
    const table = await this.database.table(`${text} LIMIT ${MOST_RELATED + 1}`, values);
    refuseTooMany(table.rows.length);
    const rows = await this.assemble(relation.query, table);
    const lists = new Map<string, unknown[]>();
    for (const [index, owner] of cellsOf(table, PARENT).entries()) {
      const list = lists.get(keyText(owner)) ?? [];
      list.push(relation.keysOnly ? Object.values(rows[index] ?? {})[0] : rows[index]);
      this.weights.add(list, rows[index]);
      lists.set(keyText(owner), list);
    }
    return lists;
  }
}

/** The same rows may stand below many others: a small table could make an endless answer. */
function refuseTooMany(related: number): void {
  if (related <= MOST_RELATED) return;
  const reason = `the answer would hold more than ${MOST_RELATED} related items: ask for fewer`;
  throw new InvalidQuery({ reason });
}

/** A page beyond the last row still comes with its counts, in a row of its own. */
function withoutCounts({ names, rows }: Table): Table {
  const number = names.indexOf(NUMBER);
  return { names, rows: rows.filter((row) => row[number] !== null) };
}

function cellsOf({ names, rows }: Table, name: string): unknown[] {
  const at = names.indexOf(name);
  return rows.map((row) => row[at] ?? null);
}

function presentRows({ fields }: BoundQuery, { names, rows }: Table): Record<string, unknown>[] {
  const shown = fields.map(({ as, field }) => ({ as, type: field.type, at: names.indexOf(as) }));
  return rows.map((cells) => {
    const row: Record<string, unknown> = {};
    for (const { as, type, at } of shown) row[as] = presentCell(type, cells[at]);
    return row;
  });
}

/** Keys are text, numbers or UUIDs: as text they are equal where they are equal. */
const keyText = (key: unknown): string => textOf(key as Value);
