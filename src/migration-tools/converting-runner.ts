import type { Table, TableColumn } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { Query } from 'typeorm/driver/Query.js';
import { conversionOf } from './column-conversion';
import { isEnum, isOfType, withArray, withTypeOf } from './column-type';
import { EnumTypeRunner } from './enum-type-runner';
import type { Changed } from './reindexing-runner';

/** Two statements, of which the second undoes the first. */
type Step = readonly [up: string, down: string];

/**
 * Where the type of a column changes, TypeORM drops the column and adds it again, so its values are lost; and it adds
 * words to an enum by ADD VALUE, whose new words cannot be used in the same transaction. This runner converts the
 * existing column instead.
 */
export class ConvertingRunner extends EnumTypeRunner {
  /** Enum types, under their SQL names, that need no further statement: created, or with their new words. */
  private readonly settled = new Set<string>();

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

  override async changeColumn(
    tableOrName: Table | string,
    columnOrName: TableColumn | string,
    wanted: TableColumn,
  ): Promise<void> {
    const { table, column } = await this.columnIn(tableOrName, columnOrName);
    if (!column) return super.changeColumn(table, columnOrName, wanted);
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
    return withTypeOf(wanted, stored);
  }

  /**
   * Changes all columns of an enum type at once, since the type is created anew. Their defaults are set by the code
   * that changes everything else about them.
   */
  private async changeWords(table: Table, stored: TableColumn, wanted: TableColumn): Promise<void> {
    const name = this.buildEnumName(table, wanted);
    if (this.settled.has(name)) return;
    this.settled.add(name);
    const oldName = this.buildEnumName(table, stored, true, false, true);
    const columns = this.columnsOf(table, stored);
    const found = columns.flatMap(([each, column]) => this.conditionsOn(each, column));
    // One may name several columns.
    const conditions = [...new Map(found.map((step) => [step[0], step])).values()];
    await this.take(conditions.map(([make, drop]) => [drop, make]));
    await this.take([
      this.renameType(table, stored, wanted),
      [this.createEnumTypeSql(table, wanted, name).query, `DROP TYPE ${name}`],
    ]);
    for (const [each, column] of columns) {
      const changed = withTypeOf(wanted, column, column.isArray);
      await this.take(this.retype(each, column, changed, oldName) ?? []);
    }
    await this.take([
      [`DROP TYPE ${oldName}`, this.createEnumTypeSql(table, stored, oldName).query],
    ]);
    await this.take(conditions);
  }

  /** Frees the name of an enum type for its successor. */
  private renameType(table: Table, stored: TableColumn, wanted: TableColumn): Step {
    const name = this.buildEnumName(table, wanted);
    const oldName = this.buildEnumName(table, stored, true, false, true);
    // The new name of a RENAME has no schema.
    const bareName = this.buildEnumName(table, stored, false);
    const bareOldName = this.buildEnumName(table, stored, false, false, true);
    return [
      `ALTER TYPE ${name} RENAME TO ${bareOldName}`,
      `ALTER TYPE ${oldName} RENAME TO ${bareName}`,
    ];
  }

  /**
   * The steps that make the checks, and the indexes with a condition, that name a column: PostgreSQL does not convert
   * them.
   */
  private conditionsOn(table: Table, { name }: TableColumn): Step[] {
    const namesColumn = (condition = ''): boolean => condition.includes(name);
    const indexes = table.indices.filter(({ where }) => namesColumn(where));
    const checks = table.checks.filter(({ expression }) => namesColumn(expression));
    return [
      ...indexes.map((index): Step => [
        this.createIndexSql(table, index).query,
        this.dropIndexSql(table, index).query,
      ]),
      ...checks.map((check): Step => [
        this.createCheckConstraintSql(table, check).query,
        this.dropCheckConstraintSql(table, check).query,
      ]),
    ];
  }

  /**
   * @param oldType the type to return to when it is undone, where that has another name
   * @returns undefined where no cast leads from one type to the other and back
   */
  private retype(
    table: Table,
    stored: TableColumn,
    wanted: TableColumn,
    oldType = this.elementType(table, stored),
  ): readonly Step[] | undefined {
    const newFullType = withArray(wanted, this.elementType(table, wanted));
    const oldFullType = withArray(stored, oldType);
    const forward = conversionOf(stored, wanted, newFullType);
    const backward = conversionOf(wanted, stored, oldFullType);
    if (!forward || !backward) return undefined;
    const column = `ALTER TABLE ${this.escapePath(table)} ALTER COLUMN "${stored.name}"`;
    const alter = `${column} TYPE ${newFullType}${forward.using}`;
    if (forward.risky) this.risky.add(alter);
    return [
      ...identityStep(column, stored, wanted),
      ...defaultStep(column, stored),
      [alter, `${column} TYPE ${oldFullType}${backward.using}`],
    ];
  }

  private async addType(table: Table, wanted: TableColumn): Promise<void> {
    const name = this.buildEnumName(table, wanted);
    if (!isEnum(wanted) || this.settled.has(name) || (await this.hasEnumType(table, wanted)))
      return;
    this.settled.add(name);
    await this.take([[this.createEnumTypeSql(table, wanted, name).query, `DROP TYPE ${name}`]]);
  }

  private async dropType(table: Table, stored: TableColumn): Promise<void> {
    if (!isEnum(stored) || this.leavesTypeInUse(table, stored)) return;
    const name = this.buildEnumName(table, stored);
    await this.take([[`DROP TYPE ${name}`, this.createEnumTypeSql(table, stored, name).query]]);
  }

  /** The SQL type of a column, or of the elements of an array. */
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

/** Only whole numbers can be an identity. */
function identityStep(column: string, stored: TableColumn, wanted: TableColumn): Step[] {
  if (stored.generatedIdentity === undefined || wanted.generatedIdentity !== undefined) return [];
  const add = `${column} ADD GENERATED ${stored.generatedIdentity} AS IDENTITY`;
  return [[`${column} DROP IDENTITY`, add]];
}

/** PostgreSQL would convert the default together with the type, which is not always possible. */
function defaultStep(column: string, stored: TableColumn): Step[] {
  const value = stored.default as string | null | undefined;
  if (value === undefined || value === null) return [];
  return [[`${column} DROP DEFAULT`, `${column} SET DEFAULT ${value}`]];
}
