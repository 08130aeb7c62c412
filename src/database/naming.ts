import { DefaultNamingStrategy, type NamingStrategyInterface, type Table } from 'typeorm';

const MAX_LENGTH = 63;

/**
 * Readable names for errors and plans: `fk_permissions_policy`, not a hash. Columns have the name of their property, as
 * does the column of a to-one relation: `policy`, not `policyId`.
 */
export class ReadableNaming extends DefaultNamingStrategy implements NamingStrategyInterface {
  override joinColumnName(relationName: string): string {
    return relationName;
  }

  override joinTableName(first: string, _second: string, property: string): string {
    return `${first}_${property}`;
  }

  override joinTableColumnName(table: string, property: string, column?: string): string {
    return `${table}_${column ?? property}`;
  }

  override primaryKeyName(table: Table | string): string {
    return this.named('pk', table, []);
  }

  override uniqueConstraintName(table: Table | string, columns: string[]): string {
    return this.named('uq', table, columns);
  }

  override relationConstraintName(table: Table | string, columns: string[]): string {
    return this.named('rel', table, columns);
  }

  override foreignKeyName(table: Table | string, columns: string[]): string {
    return this.named('fk', table, columns);
  }

  override indexName(table: Table | string, columns: string[], where?: string): string {
    return this.named(where === undefined ? 'ix' : 'ix_some', table, columns);
  }

  override checkConstraintName(table: Table | string, expression: string): string {
    return this.named('ck', table, [super.checkConstraintName(table, expression).slice(4, 12)]);
  }

  override defaultConstraintName(table: Table | string, column: string): string {
    return this.named('df', table, [column]);
  }

  private named(kind: string, table: Table | string, columns: string[]): string {
    const plain = this.getTableName(table).split('.').at(-1) ?? '';
    const name = [kind, plain, ...columns.toSorted((a, b) => (a < b ? -1 : 1))].join('_');
    return name.length <= MAX_LENGTH ? name : shorten(name);
  }
}

/** The beginning stays readable; a checksum of the whole keeps two long names distinct. */
function shorten(name: string): string {
  let sum = 0;
  for (const char of name) sum = (Math.imul(sum, 31) + (char.codePointAt(0) ?? 0)) >>> 0;
  return `${name.slice(0, MAX_LENGTH - 9)}_${sum.toString(16).padStart(8, '0')}`;
}
