import { isStored } from '../../../engine';
import { keyIn } from '../../compile/scope';
import type { Key } from '../../write-context';
import { type StoredCollection, columnOf } from '../../registry/stored-collection';
import type { PlannedRow } from '../plan/plan';
import { realScope, type CollectionWrite } from '../collection-write';
import type { TableFacts } from './table-facts';

/** How far a key sent by hand may exceed the greatest stored key. */
const MAX_AHEAD = 10_000;
/** Some of the keys drawn for many rows may be taken: new ones are drawn this many times. */
const ROUNDS = 3;
/** How many keys one statement tries, which takes it a few seconds; if all were taken, it is run again. */
const MAX_WALKED = 500_000;
/** The same where the key is not simply the next number of a sequence: it might be the same one each time. */
const MAX_ASKED = 1_000;
const SEQUENCE = /^nextval\('[^']*'(?:::regclass)?\)$/;
const NUMBERS: ReadonlySet<string> = new Set(['integer', 'bigint']);

/** Whether the database numbers the rows. */
export const hasNumberedKey = (collection: StoredCollection): boolean =>
  NUMBERS.has(numberedAs(collection) ?? '');

/** The type of a key that the database generates. */
function numberedAs({ fields, key }: StoredCollection): string | undefined {
  const field = fields.get(key);
  return field !== undefined && isStored(field) && field.hasDefault ? field.type : undefined;
}

/**
 * The next free key, which also advances the sequence past taken keys: concurrent callers share that work, since no
 * number is drawn twice. The sequence never jumps to a sent key: after 2147483647, no row could be created any more.
 * @returns in a very long run of taken keys, as in a table that was filled by hand, the last key it looked at, which is
 * taken: the next draw continues from there, even if this request fails; undefined where the database generates none
 */
export async function drawKey(
  { collection, tx }: CollectionWrite,
  { keyDefault }: TableFacts,
): Promise<Key | undefined> {
  if (keyDefault === null) return undefined;
  const { sql, cast } = columnOf(collection, collection.key);
  const next = `(${keyDefault})::${cast}`;
  const maxSteps = SEQUENCE.test(keyDefault) ? MAX_WALKED : MAX_ASKED;
  // Each key is looked up by itself: an EXISTS may become a join, and then the whole table is read for every number.
  const [drawn] = await tx.query<{ key: Key }>(
    `WITH RECURSIVE drawn (key, number) AS (
       SELECT ${next}, 1
       UNION ALL
       SELECT ${next}, number + 1 FROM drawn
        WHERE number < ${maxSteps} AND (SELECT TRUE FROM ${collection.table} taken WHERE taken.${sql} = drawn.key LIMIT 1)
     )
     SELECT key FROM drawn ORDER BY number DESC LIMIT 1`,
  );
  return drawn?.key;
}

/**
 * Free keys for many rows at once, in the order in which the database draws them.
 * @returns fewer where too many were taken, or where the database generates none
 */
export async function drawKeys(
  { collection, tx }: CollectionWrite,
  { keyDefault }: TableFacts,
  count: number,
): Promise<Key[]> {
  const { sql, cast } = columnOf(collection, collection.key);
  const text = `SELECT key FROM (SELECT number, (${keyDefault})::${cast} AS key FROM generate_series(1, $1::int4) AS number) drawn
    WHERE NOT EXISTS (SELECT 1 FROM ${collection.table} taken WHERE taken.${sql} = drawn.key) ORDER BY number`;
  const keys: Key[] = [];
  for (let round = 0; round < ROUNDS && keyDefault !== null && keys.length < count; round++) {
    const drawn = await tx.query<{ key: Key }>(text, [count - keys.length]);
    keys.push(...drawn.map(({ key }) => key));
  }
  return keys;
}

/**
 * Keys sent by hand must not come near the end of the range: only administrators may leave a gap of more than 10,000.
 * This depends on what is stored before the first write. 64-bit keys need no bound.
 */
export async function maxNewKeyOf(
  { collection, caller, tx, registry }: CollectionWrite,
  rows: readonly PlannedRow[],
): Promise<number> {
  const sent = rows.some(({ values }) => values.has(collection.key));
  if (caller.administrator || !sent || numberedAs(collection) !== 'integer') return Infinity;
  const real = realScope(registry, collection);
  const [row] = await tx.query<{ greatest: number }>(
    `SELECT coalesce(max(${keyIn(real)}), 0)::int4 AS greatest FROM ${collection.table} ${real.alias}`,
  );
  return (row?.greatest ?? 0) + MAX_AHEAD;
}

/** Whether the key that was sent for a new row is greater than `maxNewKeyOf` allows. */
export const exceedsMaxKey = (
  { values }: PlannedRow,
  { key }: StoredCollection,
  maxNewKey: number,
): boolean => Number(values.get(key) ?? 0) > maxNewKey;
