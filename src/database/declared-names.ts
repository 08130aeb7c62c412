import { DatabaseError } from 'pg';
import type { DataSource } from 'typeorm';

/** The names of the columns that the entities declare, by the name of their table. */
export type DeclaredNames = ReadonlyMap<string, ReadonlySet<string>>;

const UNDEFINED_TABLE = '42P01';
const UNDEFINED_COLUMN = '42703';
// Most failures are others, and are not looked into.
const NAMES_MISSING: readonly (string | undefined)[] = [UNDEFINED_TABLE, UNDEFINED_COLUMN];

/** A name, perhaps quoted, after what qualifies it: `"public"."notes"`. */
const QUALIFIED = /^(?:(?:"(?:[^"]|"")+"|[\w$]+)\s*\.\s*)*(?:"((?:[^"]|"")+)"|([\w$]+))/;

export function declaredNames({ entityMetadatas }: DataSource): DeclaredNames {
  const declared = new Map<string, Set<string>>();
  for (const { tableName, columns } of entityMetadatas) {
    const known = declared.get(tableName) ?? new Set();
    declared.set(tableName, known);
    for (const { databaseName } of columns) known.add(databaseName);
  }
  return declared;
}

/**
 * Whether a statement failed because a declared table or column is not in the database, or not in the schemas that the
 * session searches. A name that nothing declares, or not for a table that the statement names, is a mistake in it.
 */
export function lacksDeclared(error: unknown, sent: string, declared: DeclaredNames): boolean {
  if (!(error instanceof DatabaseError) || !NAMES_MISSING.includes(error.code)) return false;
  const { text, name } = failedName(error, sent);
  if (error.code === UNDEFINED_TABLE) return declared.has(name);
  return [...declared].some(([table, columns]) => columns.has(name) && text.includes(table));
}

/** The name to which the server's error points: in the statement, or in that of a function which the statement called. */
function failedName(
  { position, internalPosition, internalQuery }: DatabaseError,
  sent: string,
): { readonly text: string; readonly name: string } {
  const [at, text] =
    position === undefined ? [internalPosition, internalQuery ?? ''] : [position, sent];
  const [, quoted, plain = ''] = QUALIFIED.exec(text.slice(Number(at) - 1)) ?? [];
  return { text, name: quoted?.replaceAll('""', '"') ?? plain };
}
