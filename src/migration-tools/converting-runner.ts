import type { Table, TableColumn } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { Query } from 'typeorm/driver/Query.js';
import { conversionOf } from './column-conversion';
import { isEnum, isOfType, typed, withArray } from './column-type';
import { type Changed, ReindexingRunner } from './reindexing-runner';

/** Two statements, of which the second undoes the first. */
type Step = readonly [up: string, down: string];

type Queries = Parameters<ReindexingRunner['executeQueries']>[0];

const CREATE_TYPE = /^CREATE TYPE (.+) AS ENUM\(/;
const DROP_TYPE = /^DROP TYPE (.+)$/;
const RENAME_CONSTRAINT = /^ALTER TABLE .+ RENAME CONSTRAINT (".+") TO (".+")$/;
const RENAME_TYPE = /^ALTER TYPE (.+) RENAME TO (".+")$/;

/**
 * Where the type of a column changes, TypeORM drops the column and adds it again, so its values are lost; and it adds
 * words to an enum by ADD VALUE, whose new words cannot be used in the same transaction. This runner converts the
 * existing column instead. It also leaves out statements that PostgreSQL would refuse: TypeORM renames things to the
 * name that they have, and creates and drops a type once for each column.
 */
export class ConvertingRunner extends ReindexingRunner {
  /** Enum types, under their SQL names, that are complete: created, dropped, or with their new words. */
  private readonly settled = new Set<string>();
  private readonly converted = new Set<TableColumn>();
  /** Enum types that the statements so far create or drop: true where they exist afterwards. */
  private readonly existing = new Map<string, boolean>();
  /** An enum type that other columns still have. */
  private kept: string | undefined;

  /**
   * @param risky collects the statements that some stored value may not survive
   * @param changed what is to be made anew
   */
  constructor(
    driver: PostgresDriver,
    private readonly risky: Set<string>,
    changed: Changed,
  ) {
    super(driver, changed);
  }

  override executeQueries(up: Queries, down: Queries): Promise<void> {
    const [forth, back] = [[up].flat(), [down].flat()];
    const isNeeded = ({ query }: Query): boolean => !isNoOp(query) && !this.concernsKept(query);
    const needed = forth.filter(isNeeded);
    for (const { query } of needed) {
      const [created, dropped] = [this.typeIn(CREATE_TYPE, query), this.typeIn(DROP_TYPE, query)];
      if (created !== undefined) this.existing.set(created, true);
      if (dropped !== undefined) this.existing.set(dropped, false);
    }
    return super.executeQueries(needed, back.filter(isNeeded));
  }

  /** TypeORM asks the database, where the statements have not been run yet. */
  protected override async hasEnumType(table: Table, column: TableColumn): Promise<boolean> {
    const exists = this.existing.get(this.withSchema(this.buildEnumName(table, column)));
    return exists ?? super.hasEnumType(table, column);
  }

  override async dropColumn(...given: Parameters<ReindexingRunner['dropColumn']>): Promise<void> {
    const [ofTable, named] = given;
    const table = typeof ofTable === 'string' ? await this.getCachedTable(ofTable) : ofTable;
    const column = typeof named === 'string' ? table.findColumnByName(named) : named;
    if (column && isEnum(column)) {
      this.converted.add(column);
      const isUsed = this.columnsOf(table, column).some(([, each]) => !this.converted.has(each));
      this.kept = isUsed ? this.withSchema(this.buildEnumName(table, column)) : undefined;
    }
    await super.dropColumn(...given);
    this.kept = undefined;
  }

  override async changeColumn(
    given: Table | string,
    stored: TableColumn | string,
    wanted: TableColumn,
  ): Promise<void> {
    const table = typeof given === 'string' ? await this.getCachedTable(given) : given;
    const column = typeof stored === 'string' ? table.findColumnByName(stored) : stored;
    if (!column) return super.changeColumn(table, stored, wanted);
    return super.changeColumn(table, await this.convert(table, column, wanted), wanted);
  }

  /** @returns the column with the wanted type */
  private async convert(
    table: Table,
    stored: TableColumn,
    wanted: TableColumn,
  ): Promise<TableColumn> {
    if (isOfType(stored, wanted)) return stored;
    if (isEnum(stored) && isEnum(wanted) && stored.enumName === wanted.enumName) {
      if (stored.isArray !== wanted.isArray) return stored;
      await this.changeWords(table, stored, wanted);
    } else {
      const steps = this.retype(table, stored, wanted);
      if (!steps) return stored;
      await this.dropForeignKeys(table, table.findColumnForeignKeys(stored));
      await this.addType(table, wanted);
      await this.take(steps);
      await this.dropType(table, stored);
    }
    return typed(stored, wanted);
  }

  /**
   * Changes all columns of an enum type at once, since the type is created anew. Their defaults are set by the code
   * that changes everything else about them.
   */
  private async changeWords(table: Table, stored: TableColumn, wanted: TableColumn): Promise<void> {
    const name = this.buildEnumName(table, wanted);
    if (this.settled.has(name)) return;
    this.settled.add(name);
    const [old, bare, bareOld] = [
      this.buildEnumName(table, stored, true, false, true),
      this.buildEnumName(table, stored, false),
      this.buildEnumName(table, stored, false, false, true),
    ];
    const columns = this.columnsOf(table, stored);
    const found = columns.flatMap(([each, column]) => this.conditionsOn(each, column));
    // One may name several columns.
    const conditions = [...new Map(found.map((step) => [step[0], step])).values()];
    await this.take(conditions.map(([make, drop]) => [drop, make]));
    await this.take([
      [`ALTER TYPE ${name} RENAME TO ${bareOld}`, `ALTER TYPE ${old} RENAME TO ${bare}`],
      [this.createEnumTypeSql(table, wanted, name).query, `DROP TYPE ${name}`],
    ]);
    for (const [each, column] of columns) {
      const changed = typed(column, wanted, column.isArray);
      await this.take(this.retype(each, column, changed, old) ?? []);
    }
    await this.take([[`DROP TYPE ${old}`, this.createEnumTypeSql(table, stored, old).query]]);
    await this.take(conditions);
  }

  /** What makes the checks, and the indexes with a condition, that name a column: PostgreSQL does not convert them. */
  private conditionsOn(table: Table, { name }: TableColumn): Step[] {
    const names = (condition = ''): boolean => condition.includes(name);
    return [
      ...table.indices
        .filter(({ where }) => names(where))
        .map((index): readonly [Query, Query] => [
          this.createIndexSql(table, index),
          this.dropIndexSql(table, index),
        ]),
      ...table.checks
        .filter(({ expression }) => names(expression))
        .map((check): readonly [Query, Query] => [
          this.createCheckConstraintSql(table, check),
          this.dropCheckConstraintSql(table, check),
        ]),
    ].map(([make, drop]) => [make.query, drop.query]);
  }

  /** @param back the type to return to when it is undone, where that has another name */
  private retype(
    table: Table,
    stored: TableColumn,
    wanted: TableColumn,
    back = this.elementType(table, stored),
  ): readonly Step[] | undefined {
    const [type, was] = [this.fullType(table, wanted), withArray(stored, back)];
    const [forward, backward] = [
      conversionOf(stored, wanted, type),
      conversionOf(wanted, stored, was),
    ];
    if (!forward || !backward) return undefined;
    const column = `ALTER TABLE ${this.escapePath(table)} ALTER COLUMN "${stored.name}"`;
    const alter = `${column} TYPE ${type}${forward.using}`;
    if (forward.risky) this.risky.add(alter);
    const kept = (stored.default ?? undefined) as string | undefined;
    const loses = stored.generatedIdentity !== undefined && wanted.generatedIdentity === undefined;
    return [
      // Only whole numbers can have one.
      ...(loses
        ? [
            [
              `${column} DROP IDENTITY`,
              `${column} ADD GENERATED ${stored.generatedIdentity} AS IDENTITY`,
            ] as const,
          ]
        : []),
      // PostgreSQL would convert the default too, which is not always possible.
      ...(kept !== undefined
        ? [[`${column} DROP DEFAULT`, `${column} SET DEFAULT ${kept}`] as const]
        : []),
      [alter, `${column} TYPE ${was}${backward.using}`],
    ];
  }

  private concernsKept(query: string): boolean {
    if (this.kept === undefined) return false;
    return [CREATE_TYPE, DROP_TYPE].some((each) => this.typeIn(each, query) === this.kept);
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

  private async addType(table: Table, wanted: TableColumn): Promise<void> {
    const name = this.buildEnumName(table, wanted);
    if (!isEnum(wanted) || this.settled.has(name) || (await this.hasEnumType(table, wanted)))
      return;
    this.settled.add(name);
    await this.take([[this.createEnumTypeSql(table, wanted, name).query, `DROP TYPE ${name}`]]);
  }

  private async dropType(table: Table, stored: TableColumn): Promise<void> {
    this.converted.add(stored);
    if (!isEnum(stored)) return;
    const isUsed = this.columnsOf(table, stored).some(([, column]) => !this.converted.has(column));
    if (isUsed) return;
    const name = this.buildEnumName(table, stored);
    await this.take([[`DROP TYPE ${name}`, this.createEnumTypeSql(table, stored, name).query]]);
  }

  /** All columns of the same enum type. */
  private columnsOf(table: Table, stored: TableColumn): (readonly [Table, TableColumn])[] {
    const name = this.buildEnumName(table, stored);
    return this.loadedTables.flatMap((each) =>
      each.columns
        .filter((column) => isEnum(column) && this.buildEnumName(each, column) === name)
        .map((column) => [each, column] as const),
    );
  }

  private fullType(table: Table, column: TableColumn): string {
    return withArray(column, this.elementType(table, column));
  }

  private elementType(table: Table, column: TableColumn): string {
    if (isEnum(column)) return this.buildEnumName(table, column);
    const element = column.clone();
    element.isArray = false;
    return this.driver.createFullType(element);
  }

  private take(steps: readonly Step[]): Promise<void> {
    return this.executeQueries(
      steps.map(([up]) => new Query(up)),
      steps.map(([, down]) => new Query(down)),
    );
  }
}

/** Whether a statement gives something the name that it has. */
function isNoOp(query: string): boolean {
  const [, constraint, sameConstraint] = RENAME_CONSTRAINT.exec(query) ?? [];
  if (constraint !== undefined) return constraint === sameConstraint;
  const [, type = '', sameType] = RENAME_TYPE.exec(query) ?? [];
  return sameType !== undefined && (type === sameType || type.endsWith(`.${sameType}`));
}
