import type { Table, TableIndex } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { OrderlyRunner } from '../database';

/**
 * TypeORM makes an index anew where its columns have changed, but not where its condition has. This runner lets it see a
 * difference in those indexes too.
 */
export class ReindexingRunner extends OrderlyRunner {
  private readonly marked = new Set<TableIndex>();

  /** @param changed the names of the indexes whose condition has changed */
  constructor(
    driver: PostgresDriver,
    private readonly changed: ReadonlySet<string>,
  ) {
    super(driver, 'master');
  }

  override async getTables(names?: string[]): Promise<Table[]> {
    const tables = await super.getTables(names);
    for (const index of tables.flatMap(({ indices }) => indices)) {
      if (!this.changed.has(index.name ?? '')) continue;
      this.marked.add(index);
      flip(index);
    }
    return tables;
  }

  override async dropIndex(...given: Parameters<OrderlyRunner['dropIndex']>): Promise<void> {
    const [, index] = given;
    if (typeof index !== 'string' && this.marked.delete(index)) flip(index);
    return super.dropIndex(...given);
  }
}

/** A difference that TypeORM sees, and that no index of ours really has. */
function flip(index: TableIndex): void {
  index.isSpatial = !index.isSpatial;
}
