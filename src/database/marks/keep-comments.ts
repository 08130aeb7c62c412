import type { DataSource, EntityMetadata } from 'typeorm';
import { quote } from '../quote';
import { markIn, readPlaces, withMark } from './catalogue';

/**
 * Copies the COMMENTs of tables and columns to the entities where they are marks or the entity has none, so that a
 * comparison with this database leaves them alone.
 */
export async function keepComments(dataSource: DataSource): Promise<void> {
  const queries = {
    query: <R>(text: string, values: readonly unknown[] = []): Promise<R[]> =>
      dataSource.query<R[]>(text, [...values]),
  };
  const places = await readPlaces(queries, dataSource.entityMetadatas.map(pathOf));
  const comments = new Map(places.map((each) => [`${each.path} ${each.column}`, each.comment]));
  for (const metadata of dataSource.entityMetadatas) {
    const commentOf = (column: string, own: string | undefined): string | undefined =>
      keptComment(own, comments.get(`${pathOf(metadata)} ${column}`) ?? null);
    const comment = commentOf('', metadata.comment);
    if (comment !== undefined) metadata.comment = comment;
    for (const column of metadata.columns) {
      const ofColumn = commentOf(column.databaseName, column.comment);
      if (ofColumn !== undefined) column.comment = ofColumn;
    }
  }
}

function keptComment(own: string | undefined, stored: string | null): string | undefined {
  const mark = markIn(stored);
  if (own === undefined) return stored ?? undefined;
  return mark === undefined ? own : withMark(own, mark);
}

/** The table, quoted, with its schema if it has one of its own. */
export const pathOf = ({ schema, tableName }: EntityMetadata): string =>
  [...(schema === undefined ? [] : [schema]), tableName].map(quote).join('.');
