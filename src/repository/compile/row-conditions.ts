import type { BoundFilter } from '../../engine';

/**
 * Conditions on one row that are too long to be repeated wherever a cell or a leaf depends on them. They are computed
 * once for each row that the other conditions leave, beside the row, in one column, since there may be more of them than
 * columns:
 * ```sql
 * SELECT CASE WHEN t0_when.met[1] THEN t0."status" END AS f0 FROM "articles" t0
 * CROSS JOIN LATERAL (SELECT ARRAY[(… a long condition on t0 …) IS TRUE]::boolean[] AS met OFFSET 0) t0_when
 * ```
 */
export class RowConditions {
  private readonly known = new Map<BoundFilter, string>();
  private readonly grants = new Map<string, string>();
  private readonly conditions: string[] = [];

  /** @param alias the name of the row's table */
  constructor(private readonly alias: string) {}

  /** @returns the member that holds whether the row meets the filter */
  member(filter: BoundFilter, compile: (filter: BoundFilter) => string): string {
    const known = this.known.get(filter);
    if (known !== undefined) return known;
    const position = this.conditions.push(`(${compile(filter)}) IS TRUE`);
    const member = `${this.alias}_when.met[${position}]`;
    this.known.set(filter, member);
    return member;
  }

  /** The condition under which a field is granted: one field may be shown under many names. */
  grant(field: string, compile: () => string): string {
    const known = this.grants.get(field) ?? compile();
    this.grants.set(field, known);
    return known;
  }

  /**
   * The part after the row's table in FROM. Without OFFSET 0, PostgreSQL would expand the condition at each use again.
   */
  source(): string {
    if (this.conditions.length === 0) return '';
    const met = `ARRAY[${this.conditions.join(', ')}]::boolean[] AS met`;
    return ` CROSS JOIN LATERAL (SELECT ${met} OFFSET 0) ${this.alias}_when`;
  }
}
