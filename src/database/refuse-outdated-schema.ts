import type { DataSource, EntityMetadata } from 'typeorm';
import { StartupError } from '../config/startup-error';
import { pathOf } from './marks/keep-comments';

const SHOWN = 3;
const GENERATE =
  'Run `doorward migration:generate NAME`, which writes what is missing, and see that the module lists its migrations in provideSchema; in the clone only run `npm run migration:generate -- NAME`.';
const EXISTING =
  'No generated migration creates a view or a table that is `existing: true`: check DATABASE_URL, the names in the entity, and the migrations in provideSchema.';

const MISSING = `
  SELECT wanted.at::int4 - 1 AS at, to_regclass(wanted.path) IS NULL AS whole
  FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS wanted(path, "column", at)
  WHERE NOT EXISTS (
    SELECT FROM pg_attribute WHERE attrelid = to_regclass(wanted.path)
      AND attname = wanted."column" AND attnum > 0 AND NOT attisdropped
  ) ORDER BY wanted.at`;

interface Wanted {
  readonly entity: EntityMetadata;
  readonly column: string;
}

/**
 * Compares the names of all entities' tables and columns with the database, in one query.
 * @throws StartupError that names the first missing ones
 */
export async function refuseOutdatedSchema(dataSource: DataSource): Promise<void> {
  const wanted = dataSource.entityMetadatas.flatMap((entity): Wanted[] =>
    entity.columns
      .filter(({ isVirtualProperty }) => !isVirtualProperty)
      .map(({ databaseName }) => ({ entity, column: databaseName })),
  );
  const missing = await dataSource.query<{ at: number; whole: boolean }[]>(MISSING, [
    wanted.map(({ entity }) => pathOf(entity)),
    wanted.map(({ column }) => column),
  ]);
  if (missing.length > 0) throw refusal(missing.map(({ at, whole }) => ({ ...wanted[at], whole })));
}

function refusal(
  missing: readonly (Partial<Wanted> & { readonly whole: boolean })[],
): StartupError {
  const names = missing.map(({ entity, column, whole }) =>
    whole ? `the table ${entity?.tablePath}` : `the column ${entity?.tablePath}.${column}`,
  );
  const isOwn = missing.some(({ entity }) => entity?.synchronize !== false);
  return new StartupError(
    `The database lacks ${listed([...new Set(names)])}. ${isOwn ? GENERATE : EXISTING}`,
  );
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, SHOWN);
  const more = names.length - shown.length;
  const parts = more > 0 ? [...shown, `${more} more`] : shown;
  const last = parts.at(-1) ?? '';
  return parts.length === 1 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`;
}
