import { isExisting, RegistrationError } from '../../common/schema';
import type { Queries } from '../../database/database';
import { unquote } from '../../database/quote';
import type { CollectionRegistry } from './registry';
import { columnOf } from './stored-collection';

/** Places in the list, from 1, of the tables in which several rows may have the same key. */
const SHARED = `
  SELECT sent.place::int4 FROM unnest($1::text[], $2::text[]) WITH ORDINALITY sent(path, key, place)
  JOIN pg_class t ON t.oid = to_regclass(sent.path) AND t.relkind IN ('r', 'p')
  JOIN pg_attribute c ON c.attrelid = t.oid AND c.attname = sent.key
  WHERE NOT EXISTS (
    SELECT FROM pg_index i
    WHERE i.indrelid = t.oid AND i.indisunique AND i.indisvalid AND i.indimmediate AND i.indpred IS NULL
      AND i.indnkeyatts = 1 AND i.indkey[0] = c.attnum)
  ORDER BY 1`;

/**
 * Refuses the key of an existing table that several rows may share: a write of one item would change all of them, and no
 * item could be created.
 * @throws RegistrationError that names the field
 */
export async function refuseSharedKeys(
  registry: CollectionRegistry,
  queries: Queries,
): Promise<void> {
  const written = [...registry.all()].flatMap(({ name }) => {
    const stored = registry.table(name);
    const { entity, view, singleton } = stored;
    return entity !== null && isExisting(entity) && !view && !singleton ? [stored] : [];
  });
  if (written.length === 0) return;
  const keys = written.map((stored) => unquote(columnOf(stored, stored.key).sql));
  const [shared] = await queries.query<{ place: number }>(SHARED, [
    written.map(({ table }) => table),
    keys,
  ]);
  const { entity, key, table } = written[(shared?.place ?? 0) - 1] ?? {};
  if (key === undefined) return;
  throw new RegistrationError(
    `${entity?.name}.${key} is the key, but ${table} has no unique index on this column alone, so several rows may have the same key: add one, or declare the collection with { view: true }, which is only read.`,
  );
}
