import type { EntityMetadata } from 'typeorm';
import { type Column, quote, type Reference } from './column';
import { tablePath } from './list-shape';

/** Those that lead to a table's key, as all that `Field` declares do. */
export function referencesOf(
  { foreignKeys }: EntityMetadata,
  columns: ReadonlyMap<string, Column>,
): Reference[] {
  return foreignKeys.flatMap((key): Reference[] => {
    const [column, second] = key.columns;
    const { onDelete } = key;
    if (!column || second || key.referencedColumns[0]?.isPrimary !== true) return [];
    if (onDelete !== 'CASCADE' && onDelete !== 'SET NULL') return [];
    const sql = quote(column.databaseName);
    const field = [...columns].find(([, each]) => each.sql === sql)?.[0];
    return [{ sql, field, table: tablePath(key.referencedEntityMetadata), onDelete }];
  });
}
