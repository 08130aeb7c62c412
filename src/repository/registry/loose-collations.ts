import { RegistrationError } from '../../common/schema';
import type { Queries } from '../../database/database';
import type { CollectionRegistry } from './registry';
import { quote } from './column';

const LOOSE = `
  SELECT sent.place::int4 AS place, c.attname::text AS name, l.collname::text AS collation
  FROM unnest($1::text[]) WITH ORDINALITY sent(path, place)
  JOIN pg_attribute c ON c.attrelid = to_regclass(sent.path) AND c.attnum > 0 AND NOT c.attisdropped
  JOIN pg_collation l ON l.oid = c.attcollation AND NOT l.collisdeterministic
  ORDER BY 1, 2`;

interface LooseColumn {
  /** Of its table among those that were asked for, from 1. */
  readonly place: number;
  readonly name: string;
  readonly collation: string;
}

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
  const paths = tables.map(({ table }) => table);
  for (const { place, name, collation } of await queries.query<LooseColumn>(LOOSE, [paths])) {
    const { entity, columns } = tables[place - 1] ?? {};
    const field = [...(columns ?? [])].find(([, { sql }]) => sql === quote(name))?.[0];
    if (field === undefined) continue;
    throw new RegistrationError(
      `${entity?.name}.${field} has the collation ${collation}, under which different texts may be equal: give the column another one, such as COLLATE "und-x-icu", and keep texts unique by an index on lower(…).`,
    );
  }
}
