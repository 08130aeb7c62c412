import { DefaultNamingStrategy, type NamingStrategyInterface, type Table } from 'typeorm';

/** In bytes: PostgreSQL cuts longer names off. */
const MAX_LENGTH = 63;
const SUM_LENGTH = 8;

/**
 * Readable names for errors and plans: `fk_permissions_policy`, not a hash. Columns have the name of their property, as
 * does the column of a to-one relation: `policy`, not `policyId`.
 */
export class ReadableNaming extends DefaultNamingStrategy implements NamingStrategyInterface {
  override joinColumnName(relationName: string): string {
    return relationName;
  }

  override joinTableName(first: string, _second: string, property: string): string {
    return fitted(`${first}_${property}`);
  }

  override joinTableColumnName(table: string, property: string, column?: string): string {
    return fitted(`${table}_${column ?? property}`);
  }

  override joinTableColumnDuplicationPrefix(column: string, index: number): string {
    return fitted(super.joinTableColumnDuplicationPrefix(column, index));
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
    return fitted([kind, plain, ...columns.toSorted((a, b) => (a < b ? -1 : 1))].join('_'));
  }
}

/** Where a name is too long, the beginning stays readable; a checksum of the whole keeps two names distinct. */
function fitted(name: string): string {
  const bytes = Buffer.from(name);
  if (bytes.length <= MAX_LENGTH) return name;
  let sum = 0;
  for (const char of name) sum = (Math.imul(sum, 31) + (char.codePointAt(0) ?? 0)) >>> 0;
  // As a stream, so that half a character at the end is left out.
  const start = new TextDecoder().decode(bytes.subarray(0, MAX_LENGTH - SUM_LENGTH - 1), {
    stream: true,
  });
  return `${start}_${sum.toString(16).padStart(SUM_LENGTH, '0')}`;
}
