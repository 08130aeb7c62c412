import type { EntityMetadata } from 'typeorm';
import { quote } from '../../database/quote';
import type { Column, ForeignKey, Reference } from './column';
import { tablePath } from './list-shape';

/** The foreign keys that refer to a table's key, as all that `Field` declares do. */
export function foreignKeysOf(
  { foreignKeys }: EntityMetadata,
  columns: ReadonlyMap<string, Column>,
): ForeignKey[] {
  return foreignKeys.flatMap((key): ForeignKey[] => {
    const [column, second] = key.columns;
    if (!column || second || key.referencedColumns[0]?.isPrimary !== true) return [];
    const sql = quote(column.databaseName);
    const field = [...columns].find(([, each]) => each.sql === sql)?.[0];
    const table = tablePath(key.referencedEntityMetadata);
    return [{ sql, field, table, onDelete: actionOf(key.onDelete) }];
  });
}

/** No action is the default; RESTRICT differs from it only in when it is checked. */
function actionOf(onDelete: string | undefined): ForeignKey['onDelete'] {
  switch (onDelete) {
    case 'CASCADE':
    case 'SET NULL':
    case 'SET DEFAULT':
      return onDelete;
    default:
      return 'NO ACTION';
  }
}

export const isFollowed = (key: ForeignKey): key is Reference =>
  key.onDelete === 'CASCADE' || key.onDelete === 'SET NULL';
