import type { BoundFilter } from '../../engine';

/**
 * Conditions on one row that are too long to be repeated wherever a cell or a leaf depends on them. Each becomes a
 * column of a table beside the row, computed once for each row that the other conditions leave:
 * ```sql
 * SELECT CASE WHEN t0_when.c0 THEN t0."status" END AS f0
 * FROM "articles" t0 CROSS JOIN LATERAL (SELECT (… a long condition on t0 …) AS c0 OFFSET 0) t0_when
 * ```
 */
export class RowConditions {
  private readonly known = new Map<BoundFilter, string>();
  private readonly columns: string[] = [];

  /** @param alias the name of the row's table */
  constructor(private readonly alias: string) {}

  /** @returns the column that holds whether the row meets the filter */
  column(filter: BoundFilter, compile: (filter: BoundFilter) => string): string {
    const known = this.known.get(filter);
    if (known !== undefined) return known;
    const condition = compile(filter);
    const name = `c${this.columns.push(`${condition} AS c${this.columns.length}`) - 1}`;
    const column = `${this.alias}_when.${name}`;
    this.known.set(filter, column);
    return column;
  }

  /**
   * The part after the row's table in FROM. Without OFFSET 0, PostgreSQL would expand the condition at each use again.
   */
  source(): string {
    if (this.columns.length === 0) return '';
    return ` CROSS JOIN LATERAL (SELECT ${this.columns.join(', ')} OFFSET 0) ${this.alias}_when`;
  }
}
