import type { EntityMetadata, NamingStrategyInterface } from 'typeorm';
import { IndexMetadata } from 'typeorm/metadata/IndexMetadata.js';
import { deletedAtOf, type EntityClass } from '../common/schema';
import { quote } from './quote';

/**
 * The condition for a row that is not deleted, as SQL without the table's name; undefined where deleted rows are not
 * kept.
 */
export function liveCondition({ target, columns }: EntityMetadata): string | undefined {
  const column = columnOf(target, columns);
  return column && `${quote(column.databaseName)} IS NULL`;
}

const columnOf = (
  target: EntityMetadata['target'],
  columns: EntityMetadata['columns'],
): EntityMetadata['columns'][number] | undefined => {
  const field = typeof target === 'function' ? deletedAtOf(target as EntityClass) : undefined;
  return columns.find(({ propertyName }) => propertyName === field);
};

/**
 * Uniqueness applies to live rows: a deleted row must not reserve its name. Unique constraints of such an entity become
 * partial indexes, before anything is built from them; another index is added, by which deleted rows are found.
 */
export function keepUniquesToLiveRows(
  metadata: EntityMetadata,
  naming: NamingStrategyInterface,
): void {
  const live = liveCondition(metadata);
  const column = columnOf(metadata.target, metadata.columns);
  if (live === undefined || !column) return;
  for (const index of metadata.indices) {
    if (index.isUnique && index.where === undefined) index.where = live;
    index.build(naming);
  }
  const made = metadata.uniques.map(({ columns, givenName: name }) =>
    indexOf(metadata, columns, { where: live, unique: true, ...(name !== undefined && { name }) }),
  );
  const deleted = live.replace(/IS NULL$/, 'IS NOT NULL');
  const added = [...made, indexOf(metadata, [column], { where: deleted, unique: false })];
  for (const index of added) index.build(naming);
  metadata.uniques = [];
  metadata.ownUniques = [];
  metadata.indices = [...metadata.indices, ...added];
  metadata.ownIndices = [...metadata.ownIndices, ...added];
}

const indexOf = (
  entityMetadata: EntityMetadata,
  columns: EntityMetadata['columns'],
  args: { readonly where: string; readonly unique: boolean; readonly name?: string },
): IndexMetadata =>
  new IndexMetadata({
    entityMetadata,
    columns: [...columns],
    args: { ...args, target: entityMetadata.target },
  });
