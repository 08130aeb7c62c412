import { type Caller, type FieldShape, functionInputs } from '../../engine';
import { compileOutput } from '../compile/compile-output';
import { readsRowAlone } from '../compile/row-alone';
import { rowsIn, type TableScope } from '../compile/scope';
import { VirtualView } from '../compile/views';
import type { BoundQuery, SelectedField } from '../query/query';
import { widthOf } from '../query/width-of';
import type { CollectionRegistry } from '../registry/registry';
import type { StoredCollection } from '../registry/stored-collection';
import { AnswerBudget } from './answer-budget';
import { bindQuery } from './bind-query';
import { presentingRows } from './present-rows';
import type { CacheKeyParts } from './plain-queries';
import type { ParsedQuery } from './query-reader';
import type { Page } from './row-reader';

/** The answer to a write of one row, as its writer sees the row afterwards, read by the statement that stores it. */
export class ReturnedAnswer {
  /** Set once the statement returned it; unset where the row has to be read separately. */
  page: Page | undefined;

  private constructor(
    private readonly query: BoundQuery,
    private readonly view: VirtualView,
    /** Determines what `columns` returns. */
    readonly cacheKey: CacheKeyParts,
  ) {}

  /** @returns undefined where more than the row itself has to be read */
  static of(
    caller: Caller,
    { query, cacheKey }: ParsedQuery,
    registry: CollectionRegistry,
  ): ReturnedAnswer | undefined {
    const collection = registry.table(query.collection);
    if (!cacheKey || query.relations.length > 0 || collection.about) return undefined;
    if (!cacheKey.decision.cases.every(({ rows }) => readsRowAlone(rows, collection)))
      return undefined;
    if (!query.fields.every((field) => isOfRow(field, collection))) return undefined;
    return new ReturnedAnswer(
      bindQuery(query, caller.variables),
      new VirtualView(registry, caller),
      cacheKey,
    );
  }

  get fields(): readonly FieldShape[] {
    return this.query.fields.map(({ field }) => field);
  }

  /** The select list for the stored row. */
  columns(row: TableScope): string[] {
    const seen = { ...row, view: this.view };
    return [`(${rowsIn(seen)}) IS TRUE AS "$seen"`, ...compileOutput(this.query, seen)];
  }

  /**
   * @param names of the columns that `columns` selects; `cells` are their values
   * @param characters an upper bound for the characters of all texts among the cells
   */
  take(names: readonly string[], cells: readonly unknown[], characters: number): void {
    const [seen] = cells;
    const budget = new AnswerBudget();
    if (!budget.hasRoomFor(characters)) return;
    if (seen !== true) {
      this.page = { rows: [] };
      return;
    }
    budget.takeCharacters(characters);
    budget.takeValues(widthOf(this.query));
    const present = presentingRows(this.query, names, this.view.registry);
    this.page = { rows: [present(cells)], ...(budget.large && { large: true }) };
  }
}

/** Whether a shown field depends on the row's own columns alone. */
function isOfRow({ field }: SelectedField, { columns }: StoredCollection): boolean {
  const inputs = functionInputs(field);
  return inputs ? inputs.every((name) => columns.has(name)) : columns.has(field.name);
}
