import { RegistrationError } from '../../common/schema';
import type { Queries } from '../../database/database';
import type { CollectionRegistry } from './registry';
import { quote } from './column';

const LOOSE = `
  SELECT sent.entity, c.attname::text AS column, l.collname::text AS collation
  FROM unnest($1::text[], $2::text[]) sent(entity, name)
  JOIN pg_attribute c ON c.attrelid = to_regclass(sent.name) AND c.attnum > 0 AND NOT c.attisdropped
  JOIN pg_collation l ON l.oid = c.attcollation AND NOT l.collisdeterministic
  ORDER BY 1, 2`;

/**
 * Under a nondeterministic collation two different texts may be equal, and PostgreSQL refuses to search within a text: a
 * rule about such a column would mean one thing in the database and another in memory.
 * @throws RegistrationError that names the field
 */
export async function refuseLooseCollations(
  registry: CollectionRegistry,
  queries: Queries,
): Promise<void> {
  const tables = [...registry.all()].map(({ name }) => registry.table(name));
  const entities = tables.map(({ entity, name }) => entity?.name ?? name);
  const loose = await queries.query<{ entity: string; column: string; collation: string }>(LOOSE, [
    entities,
    tables.map(({ table }) => table),
  ]);
  for (const { entity, column, collation } of loose) {
    const { columns } = tables[entities.indexOf(entity)] ?? {};
    const field = [...(columns ?? [])].find(([, { sql }]) => sql === quote(column))?.[0];
    if (field === undefined) continue;
    throw new RegistrationError(
      `${entity}.${field} has the collation ${collation}, under which different texts may be equal: give the column another, as COLLATE "und-x-icu", and keep texts unique by an index on lower(…).`,
    );
  }
}
