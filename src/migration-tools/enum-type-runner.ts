import type { Table, TableColumn } from 'typeorm';
import type { Query } from 'typeorm/driver/Query.js';
import { isEnum } from './column-type';
import { ReindexingRunner } from './reindexing-runner';

export type Queries = Parameters<ReindexingRunner['executeQueries']>[0];

const CREATE_TYPE = /^CREATE TYPE (.+) AS ENUM\(/;
const DROP_TYPE = /^DROP TYPE (.+)$/;
const RENAME_CONSTRAINT = /^ALTER TABLE .+ RENAME CONSTRAINT (".+") TO (".+")$/;
const RENAME_TYPE = /^ALTER TYPE (.+) RENAME TO (".+")$/;

/**
 * Leaves out statements that PostgreSQL would refuse: TypeORM creates and drops an enum type once for each column that
 * has it, and renames things to the name that they have.
 */
export class EnumTypeRunner extends ReindexingRunner {
  /** Enum types that the statements so far create or drop: true where they exist afterwards. */
  private readonly existing = new Map<string, boolean>();
  /** Columns that are dropped, or converted to another type. */
  private readonly withoutType = new Set<TableColumn>();
  /** While a column is dropped: its enum type, if other columns still have it. */
  private typeInUse: string | undefined;

  override executeQueries(up: Queries, down: Queries): Promise<void> {
    const isNeeded = ({ query }: Query): boolean =>
      !isNoOp(query) && !this.concernsTypeInUse(query);
    const needed = [up].flat().filter(isNeeded);
    for (const { query } of needed) {
      const [created, dropped] = [this.typeIn(CREATE_TYPE, query), this.typeIn(DROP_TYPE, query)];
      if (created !== undefined) this.existing.set(created, true);
      if (dropped !== undefined) this.existing.set(dropped, false);
    }
    return super.executeQueries(needed, [down].flat().filter(isNeeded));
  }

  /** TypeORM asks the database, where the statements have not been run yet. */
  protected override async hasEnumType(table: Table, column: TableColumn): Promise<boolean> {
    const exists = this.existing.get(this.withSchema(this.buildEnumName(table, column)));
    return exists ?? super.hasEnumType(table, column);
  }

  override async dropColumn(...args: Parameters<ReindexingRunner['dropColumn']>): Promise<void> {
    const [tableOrName, columnOrName] = args;
    const { table, column } = await this.columnIn(tableOrName, columnOrName);
    if (column && isEnum(column) && this.leavesTypeInUse(table, column)) {
      this.typeInUse = this.withSchema(this.buildEnumName(table, column));
    }
    await super.dropColumn(...args);
    this.typeInUse = undefined;
  }

  /** A column that may be named, and its table. */
  protected async columnIn(
    tableOrName: Table | string,
    columnOrName: TableColumn | string,
  ): Promise<{ readonly table: Table; readonly column: TableColumn | undefined }> {
    const table =
      typeof tableOrName === 'string' ? await this.getCachedTable(tableOrName) : tableOrName;
    const column =
      typeof columnOrName === 'string' ? table.findColumnByName(columnOrName) : columnOrName;
    return { table, column };
  }

  /** Notes that a column loses its enum type. @returns whether another column still has the type */
  protected leavesTypeInUse(table: Table, column: TableColumn): boolean {
    this.withoutType.add(column);
    return this.columnsOf(table, column).some(([, each]) => !this.withoutType.has(each));
  }

  /** All columns of the same enum type, with their tables. */
  protected columnsOf(table: Table, column: TableColumn): (readonly [Table, TableColumn])[] {
    const type = this.buildEnumName(table, column);
    return this.loadedTables.flatMap((each) =>
      each.columns
        .filter((other) => isEnum(other) && this.buildEnumName(each, other) === type)
        .map((other) => [each, other] as const),
    );
  }

  private concernsTypeInUse(query: string): boolean {
    if (this.typeInUse === undefined) return false;
    return [CREATE_TYPE, DROP_TYPE].some((each) => this.typeIn(each, query) === this.typeInUse);
  }

  /** The enum type that a statement creates or drops, with its schema. */
  private typeIn(pattern: RegExp, query: string): string | undefined {
    const name = pattern.exec(query)?.[1];
    return name === undefined ? undefined : this.withSchema(name);
  }

  private withSchema(type: string): string {
    const { schema = 'public' } = this.driver;
    return type.includes('.') ? type : `"${schema}".${type}`;
  }
}

/** Whether a statement gives something the name that it has. */
function isNoOp(query: string): boolean {
  const [, constraint, sameConstraint] = RENAME_CONSTRAINT.exec(query) ?? [];
  if (constraint !== undefined) return constraint === sameConstraint;
  const [, type = '', sameType] = RENAME_TYPE.exec(query) ?? [];
  return sameType !== undefined && (type === sameType || type.endsWith(`.${sameType}`));
}
