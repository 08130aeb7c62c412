import { type Cell, type FieldShape, isStored } from '../../../src/engine';
import { MASK } from '../pools';
import { fieldOf, shapesOf } from '../tables';
import type { Asked, AskedRelation, Query } from '../world';
import { readBy } from './aggregating';
import { meets, testedBy } from './meets';
import { isAllowed, pathsIn } from './names';
import { type Collations, sorted } from './order';
import { isFound } from './searching';
import { byKey, listOf, rowsOf, type SeenRow, targetOf } from './seen';
import { askedRows, mayName, mayRead, type Views } from './virtual';

export const DEFAULT_LIMIT = 3;
export const MAX_LIMIT = 50;
/** The number of variables with a path that one query may name. */
const MAX_PATHS = 10;

export type Shown = Readonly<Record<string, unknown>>;

/** The answer to a query: rows and counts, or the code of the refusal. */
export type Expected =
  | { readonly rows: readonly Shown[]; readonly total?: number; readonly filtered?: number }
  | { readonly code: 'FORBIDDEN' | 'INVALID_QUERY' };

const FORBIDDEN: Expected = { code: 'FORBIDDEN' };

/** The answer, computed only from the caller's virtual tables. */
export function answer(query: Query, views: Views, collations: Collations): Expected {
  if (!isAllowed(query, views.world)) return FORBIDDEN;
  if (pathsIn(query.asked).size > MAX_PATHS) return { code: 'INVALID_QUERY' };
  const { collection, asked, key, deleted } = query;
  const reader = new Reader(views, collations);
  const all = askedRows(views, collection, deleted);
  const matching = all.filter((row) => reader.matches(asked, collection, row));
  const page = reader.page(matching, asked, collection);
  const counts = query.meta ? { total: all.length, filtered: matching.length } : {};
  if (key === null) return { rows: reader.showAll(page, asked, collection), ...counts };
  const found = all.filter((row) => row.key === key);
  if (found.length === 0) return FORBIDDEN;
  return {
    rows: reader.showAll(found, asked, collection),
    ...(query.meta && { total: all.length, filtered: all.length }),
  };
}

/** The answer to a write: what the caller may read of the written rows. */
export function answerWritten(keys: readonly Cell[], collection: string, views: Views): Shown[] {
  if (!mayRead(views.world, collection)) return [];
  const rows = keys.flatMap((key) => byKey(views.virtual, collection, key) ?? []);
  return new Reader(views, new Map()).showAll(rows, NOTHING_MORE, collection);
}

/** The rows that a write's query selects: all matching rows, unless it limits them. */
export function pageOf(asked: Partial<Asked>, collection: string, views: Views): SeenRow[] {
  const reader = new Reader(views, new Map());
  const all = { ...NOTHING_MORE, ...asked };
  const matching = rowsOf(views.virtual, collection).filter((row) =>
    reader.matches(all, collection, row),
  );
  return reader.page(matching, { ...all, limit: asked.limit ?? -1 }, collection);
}

class Reader {
  constructor(
    private readonly views: Views,
    private readonly collations: Collations,
  ) {}

  matches(asked: Asked, collection: string, row: SeenRow): boolean {
    const { virtual: tables, queryValues: valuesOf } = this.views;
    return (
      meets(asked.filter, collection, row, { tables, valuesOf }) &&
      isFound(asked.search, collection, row)
    );
  }

  page(rows: readonly SeenRow[], asked: Asked, collection: string): SeenRow[] {
    const inOrder = sorted(rows, asked.sort, collection, this.views.virtual, this.collations);
    const limit = asked.limit === -1 ? MAX_LIMIT : (asked.limit ?? DEFAULT_LIMIT);
    const offset = asked.offset ?? ((asked.page ?? 1) - 1) * limit;
    return inOrder.slice(offset, offset + limit);
  }

  showAll(rows: readonly SeenRow[], asked: Asked, collection: string): Shown[] {
    return rows.map((row) => this.show(row, asked, collection));
  }

  private show(row: SeenRow, asked: Asked, collection: string): Shown {
    const { world } = this.views;
    const star = shapesOf(collection).filter(
      (field) => asked.star && isStored(field) && mayName(world, collection, field.name),
    );
    return Object.fromEntries([
      ...star.map((field) => [field.name, showCell(field, row)]),
      ...asked.fields.map(({ as, name }) => [as, this.showField(name, row, collection)]),
      ...asked.relations.map((each) => [each.as, this.open(row, each, collection)]),
    ]) as Shown;
  }

  private showField(name: string, row: SeenRow, collection: string): unknown {
    const tested = testedBy(name, collection);
    return tested.fn === null
      ? showCell(tested.field, row)
      : readBy(tested, row, this.views.virtual);
  }

  private open(row: SeenRow, { name, asked }: AskedRelation, collection: string): unknown {
    const field = fieldOf(collection, name);
    if (field.kind === 'column') throw new Error(`${name} leads nowhere`);
    const { virtual } = this.views;
    if (field.kind === 'to-one') {
      if (!asked) return showCell(field, row);
      const target = targetOf(virtual, row, field);
      return target && mayRead(this.views.world, field.target)
        ? this.show(target, asked, field.target)
        : null;
    }
    const list = listOf(virtual, row, field);
    if (!list) return null;
    if (!asked) return this.page(list, NOTHING_MORE, field.target).map(({ key }) => key);
    const matching = list.filter((each) => this.matches(asked, field.target, each));
    return this.showAll(this.page(matching, asked, field.target), asked, field.target);
  }
}

const NOTHING_MORE: Asked = {
  star: true,
  fields: [],
  relations: [],
  filter: null,
  search: null,
  sort: [],
  limit: null,
  offset: null,
  page: null,
};

function showCell(field: FieldShape, row: SeenRow): unknown {
  const cell = row.cells[field.name] ?? null;
  if (cell === null || !isStored(field)) return null;
  if (field.concealed) return MASK;
  // JSON has neither NaN nor infinity.
  if (field.type === 'double' && !Number.isFinite(cell)) return null;
  return field.type === 'bigint' && Number.isSafeInteger(Number(cell)) ? Number(cell) : cell;
}
