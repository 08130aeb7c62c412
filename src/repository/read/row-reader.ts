import type { BoundFilter, ToManyShape } from '../../engine';
import { inTurns } from '../../common/next-turn';
import type { Queries } from '../../database/database';
import {
  compileList,
  compileLists,
  compileTargets,
  FILTERED,
  KEY,
  PARENT,
  TOTAL,
  type Addressed,
} from '../compile/compile-rows';
import { linkName } from '../compile/compile-output';
import type { Compiled } from '../compile/statement';
import type { TableView } from '../compile/scope';
import { type BoundQuery, type Meta, NO_META, type SelectedRelation } from '../query/query';
import { widthOf } from '../query/width-of';
import { AnswerBudget, MANY_ROWS, MANY_VALUES } from './answer-budget';
import {
  separateJoined,
  byKey,
  cellsOf,
  distinct,
  type JoinedRows,
  keyText,
  type RowsRead,
  withoutCounts,
} from './rows-read';
import { presentingRows, presentInTurns } from './present-rows';
import type { CacheKeyParts } from './plain-queries';
import { plainStatement } from './plain-statements';
import { Weights } from './weights';

export type Row = Readonly<Record<string, unknown>>;
type Relation = SelectedRelation<BoundFilter>;

export interface Page {
  readonly rows: readonly Row[];
  /** The rows' keys, where rows were requested by key. */
  readonly keys?: readonly unknown[];
  readonly total?: number;
  readonly filtered?: number;
  /** The answer is so large that it must be written in several steps. */
  readonly large?: boolean;
  /** The answer to a write that affected no row. */
  readonly untouched?: boolean;
}

/**
 * Reads what a query requests: one statement for the rows and their to-one relations, one more for each opened list,
 * never one per row.
 */
export class RowReader {
  private readonly weights = new Weights();

  constructor(
    private readonly database: Queries,
    private readonly view: TableView,
    private readonly budget: AnswerBudget = new AnswerBudget(),
  ) {}

  /** @param cacheKey the decision and field names that alone determine the query, if they do: its statement is cached */
  async page(
    query: BoundQuery,
    meta: Meta = NO_META,
    addressed: Addressed = {},
    cacheKey?: CacheKeyParts,
  ): Promise<Page> {
    const maxRows = query.limit ?? addressed.keys?.length;
    const limit = this.budget.limitFor(widthOf(query), query.limit, maxRows);
    const limited = limit === query.limit ? query : { ...query, limit };
    const compiled = cacheKey
      ? plainStatement(cacheKey, limited, this.view, addressed)
      : compileList(limited, this.view, meta, addressed);
    const table = await this.table(query, compiled, limit ?? maxRows);
    const found = meta.total || meta.filtered ? withoutCounts(table) : table;
    const rows = await this.assemble(query, found);
    return {
      rows,
      ...(this.budget.large && { large: true }),
      ...(addressed.keys && { keys: cellsOf(found, KEY) }),
      ...(meta.total && { total: Number(cellsOf(table, TOTAL)[0]) }),
      ...(meta.filtered && { filtered: Number(cellsOf(table, FILTERED)[0]) }),
    };
  }

  private async assemble(query: BoundQuery, table: RowsRead): Promise<Record<string, unknown>[]> {
    const present = presentingRows(query, table.names, this.view.registry);
    const rows =
      table.rows.length * query.fields.length > MANY_VALUES
        ? await presentInTurns(table.rows, query.fields.length, present)
        : table.rows.map(present);
    if (query.relations.length === 0) return rows;
    for (const [index, relation] of query.relations.entries()) {
      const links = cellsOf(table, linkName(index));
      await this.open({ relation, query, links, rows, joined: table.joined(index) });
    }
    this.budget.check(this.weights.sum(rows));
    return rows;
  }

  /** Rows below other rows, each with its weight: an answer may show one of them in many places. */
  private async assembleRelated(
    query: BoundQuery,
    table: RowsRead,
  ): Promise<Record<string, unknown>[]> {
    const rows = await this.assemble(query, table);
    const names = query.fields.map(({ as }) => as);
    await inTurns(rows, MANY_ROWS, (row) => this.weights.addItem(row, names));
    return rows;
  }

  private async table(
    query: BoundQuery,
    { text, values }: Compiled,
    maxRows?: number,
  ): Promise<RowsRead> {
    const { takeCharacters } = this.budget;
    const table = await this.database.table(text, values, takeCharacters, maxRows);
    this.budget.takeValues(table.rows.length * widthOf(query));
    return separateJoined(table);
  }

  private async open({ relation, query, links, rows, joined }: Opening): Promise<void> {
    const related = joined
      ? await this.joinedTargets(relation, joined)
      : await this.read(relation, query.collection, distinct(links));
    const absent = relation.field.kind === 'to-one' ? null : [];
    await inTurns(rows, MANY_ROWS, (row, index) => {
      const link = links[index] ?? null;
      const value = link === null ? null : (related.get(keyText(link)) ?? absent);
      row[relation.as] = value;
      this.weights.add(row, value);
    });
  }

  private async read(
    relation: Relation,
    collection: string,
    keys: readonly unknown[],
  ): Promise<ReadonlyMap<string, unknown>> {
    const { field } = relation;
    if (keys.length === 0) return new Map();
    return field.kind === 'to-one'
      ? this.targets(relation, keys)
      : this.lists(relation, field, collection, keys);
  }

  private async joinedTargets(
    { query }: Relation,
    joined: JoinedRows,
  ): Promise<ReadonlyMap<string, unknown>> {
    this.budget.takeValues(joined.rows.length * widthOf(query));
    return byKey(joined.keys, await this.assembleRelated(query, joined));
  }

  private async targets(
    relation: Relation,
    keys: readonly unknown[],
  ): Promise<ReadonlyMap<string, unknown>> {
    const table = await this.table(relation.query, compileTargets(relation.query, this.view, keys));
    return byKey(cellsOf(table, KEY), await this.assembleRelated(relation.query, table));
  }

  private async lists(
    relation: Relation,
    field: ToManyShape,
    collection: string,
    keys: readonly unknown[],
  ): Promise<ReadonlyMap<string, unknown[]>> {
    const parent = this.view.registry.table(collection);
    const { text, values } = compileLists(relation.query, field, parent, this.view, keys);
    const maxRows = this.budget.relatedRoomFor(widthOf(relation.query));
    const table = await this.table(relation.query, { text: `${text} LIMIT ${maxRows}`, values });
    this.budget.check({ items: table.rows.length, values: 0, characters: 0 });
    const rows = await this.assembleRelated(relation.query, table);
    const lists = new Map<string, unknown[]>();
    await inTurns(cellsOf(table, PARENT), MANY_ROWS, (owner, index) => {
      const list = lists.get(keyText(owner)) ?? [];
      list.push(relation.keysOnly ? Object.values(rows[index] ?? {})[0] : rows[index]);
      this.weights.add(list, rows[index]);
      lists.set(keyText(owner), list);
    });
    return lists;
  }
}

/** A relation, and the rows on which it is opened. */
interface Opening {
  readonly relation: Relation;
  readonly query: BoundQuery;
  /** For each row, the key by which its related rows are found. */
  readonly links: readonly unknown[];
  readonly rows: readonly Record<string, unknown>[];
  /** The related rows, where one statement has read them together with the rows. */
  readonly joined: JoinedRows | undefined;
}
