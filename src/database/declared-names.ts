import { DatabaseError } from 'pg';
import type { DataSource } from 'typeorm';

/** The names of the tables and columns that the entities declare. */
export interface DeclaredNames {
  readonly tables: ReadonlySet<string>;
  readonly columns: ReadonlySet<string>;
}

const UNDEFINED_TABLE = '42P01';
const UNDEFINED_COLUMN = '42703';

/** A name, perhaps quoted, after what qualifies it: `"public"."notes"`. */
const QUALIFIED = /^(?:(?:"(?:[^"]|"")+"|[\w$]+)\s*\.\s*)*(?:"((?:[^"]|"")+)"|([\w$]+))/;

export const declaredNames = ({ entityMetadatas }: DataSource): DeclaredNames => ({
  tables: new Set(entityMetadatas.map(({ tableName }) => tableName)),
  columns: new Set(
    entityMetadatas.flatMap(({ columns }) => columns.map(({ databaseName }) => databaseName)),
  ),
});

/**
 * Whether a statement failed because a declared table or column is not in the database, or not in the schemas that the
 * session searches. A name that nothing declares is a mistake in the statement.
 */
export function lacksDeclared(
  error: unknown,
  text: string,
  { tables, columns }: DeclaredNames,
): boolean {
  if (!(error instanceof DatabaseError)) return false;
  if (error.code === UNDEFINED_TABLE) return tables.has(nameAt(error, text));
  return error.code === UNDEFINED_COLUMN && columns.has(nameAt(error, text));
}

/** The name to which the server's error points: in the statement, or in that of a function which the statement called. */
function nameAt(
  { position, internalPosition, internalQuery }: DatabaseError,
  text: string,
): string {
  const [at, within] =
    position === undefined ? [internalPosition, internalQuery ?? ''] : [position, text];
  const [, quoted, plain = ''] = QUALIFIED.exec(within.slice(Number(at) - 1)) ?? [];
  return quoted?.replaceAll('""', '"') ?? plain;
}
