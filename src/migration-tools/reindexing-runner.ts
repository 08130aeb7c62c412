import type { Table, TableCheck, TableExclusion, TableIndex } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { SequentialQueryRunner } from '../database';

/** What is stored otherwise than declared, without TypeORM seeing a difference. */
export interface Changed {
  /** The names of indexes, with the columns of each as they are stored. */
  readonly indexes: ReadonlyMap<string, readonly string[]>;
  /** The names of CHECK and EXCLUDE constraints. */
  readonly constraints: ReadonlySet<string>;
}

/**
 * TypeORM makes an index anew where it has other columns, but not where their order or its condition has changed, nor a
 * constraint where its expression has. This runner lets it see a difference in those too.
 */
export class ReindexingRunner extends SequentialQueryRunner {
  private readonly marked = new Set<TableIndex>();
  private readonly hidden = new Map<TableCheck | TableExclusion, string>();

  constructor(
    driver: PostgresDriver,
    private readonly changed: Changed,
  ) {
    super(driver, 'master');
  }

  override async getTables(names?: string[]): Promise<Table[]> {
    const tables = await super.getTables(names);
    for (const index of tables.flatMap(({ indices }) => indices)) {
      const columns = this.changed.indexes.get(index.name ?? '');
      if (!columns) continue;
      this.marked.add(index);
      // TypeORM reads them in any order.
      index.columnNames = columns.filter((column) => index.columnNames.includes(column));
      flip(index);
    }
    for (const each of tables.flatMap(({ checks, exclusions }) => [...checks, ...exclusions])) {
      if (each.name === undefined || !this.changed.constraints.has(each.name)) continue;
      this.hidden.set(each, each.name);
      each.name = `${each.name} before`;
    }
    return tables;
  }

  override async dropIndex(...args: Parameters<SequentialQueryRunner['dropIndex']>): Promise<void> {
    const [, index] = args;
    if (typeof index !== 'string' && this.marked.delete(index)) flip(index);
    return super.dropIndex(...args);
  }

  override async dropCheckConstraint(
    ...args: Parameters<SequentialQueryRunner['dropCheckConstraint']>
  ): Promise<void> {
    this.show(args[1]);
    return super.dropCheckConstraint(...args);
  }

  override async dropExclusionConstraint(
    ...args: Parameters<SequentialQueryRunner['dropExclusionConstraint']>
  ): Promise<void> {
    this.show(args[1]);
    return super.dropExclusionConstraint(...args);
  }

  private show(constraint: TableCheck | TableExclusion | string): void {
    if (typeof constraint === 'string') return;
    const name = this.hidden.get(constraint);
    if (name !== undefined) constraint.name = name;
  }
}

/** A difference that TypeORM compares; no index of an entity is spatial. */
function flip(index: TableIndex): void {
  index.isSpatial = !index.isSpatial;
}
