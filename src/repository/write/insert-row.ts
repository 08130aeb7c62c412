import { type Cell, isStored } from '../../engine';
import { ValueOutOfRange } from '../../common/errors';
import { keyIn } from '../compile/scope';
import type { Key, Values } from '../hooks';
import { type Collection, columnOf } from '../registry/collection';
import { ConstraintFault, type Judge } from './constraint-fault';
import { realScope, type WriteScope } from './write-scope';
import { compileInsert } from './write-sql';

/** How far beyond the greatest stored key one may be that is sent by hand. */
const FURTHEST = 10_000;
/** A key that was drawn can be taken only by somebody who sends it by hand at that very moment. */
const TRIES = 3;

/**
 * Inserts a row. A key that the database makes up and that somebody sent by hand before is drawn again.
 * @returns undefined where a trigger of the database kept the row from being stored
 */
export async function insertRow(scope: WriteScope, stored: Values): Promise<Key | undefined> {
  const { collection, tx } = scope;
  const isMadeUp = hasNumberedKey(collection) && !stored.has(collection.key);
  const made = compileInsert(collection, stored, isMadeUp);
  const [row] = await tx.query<{ key: Key }>(made.text, made.values);
  if (row || !isMadeUp) return row?.key;
  for (let tried = 0; tried < TRIES; tried++) {
    const key = await drawKey(scope);
    if (key === undefined) return undefined;
    const drawn = compileInsert(collection, new Map([...stored, [collection.key, key]]), true);
    const [again] = await tx.query<{ key: Key }>(drawn.text, drawn.values);
    if (again) return again.key;
  }
  return undefined;
}

function hasNumberedKey({ fields, key }: Collection): boolean {
  const field = fields.get(key);
  return field !== undefined && isStored(field) && field.type === 'integer';
}

/**
 * The next key that is free, with the sequence behind it: several who do this share the run of taken keys among them,
 * since no number is drawn twice. The sequence never leaps to a sent key, or one of 2147483647 would end all creates.
 */
async function drawKey({ collection, tx }: WriteScope): Promise<Key | undefined> {
  const { sql } = columnOf(collection, collection.key);
  const [drawn] = await tx.query<{ key: number }>(
    `WITH RECURSIVE drawn (key, number, sequence) AS (
       SELECT nextval(sequence), 1, sequence
         FROM (SELECT pg_get_serial_sequence($1::text, $2::text)::regclass) AS of (sequence)
        WHERE sequence IS NOT NULL
       UNION ALL
       SELECT nextval(sequence), number + 1, sequence FROM drawn
        WHERE EXISTS (SELECT 1 FROM ${collection.table} taken WHERE taken.${sql} = drawn.key)
     )
     SELECT key::int4 AS key FROM drawn ORDER BY number DESC LIMIT 1`,
    [collection.table, sql.slice(1, -1).replaceAll('""', '"')],
  );
  return drawn?.key;
}

/** Refuses a key that was sent for a row and is too far beyond all others. */
export type RefuseFar = (values: ReadonlyMap<string, Cell>, judge: Judge) => void;

/**
 * Keys that are sent by hand must not come near the end of what there is: only administrators may leave a gap of more
 * than 10,000. What is stored before the first write decides.
 */
export async function planKeys(
  scope: WriteScope,
  rows: readonly ReadonlyMap<string, Cell>[],
): Promise<RefuseFar> {
  const { collection, who, tx, registry } = scope;
  const { key, name } = collection;
  const sent = rows.some((values) => values.has(key));
  if (who.administrator || !sent || !hasNumberedKey(collection)) return () => undefined;
  const real = realScope(registry, collection);
  const [row] = await tx.query<{ greatest: number }>(
    `SELECT coalesce(max(${keyIn(real)}), 0)::int4 AS greatest FROM ${collection.table} ${real.alias}`,
  );
  const furthest = (row?.greatest ?? 0) + FURTHEST;
  return (values, judge) => {
    if (Number(values.get(key) ?? 0) <= furthest) return;
    const error = new ValueOutOfRange({ collection: name, field: key });
    throw new ConstraintFault(() => Promise.resolve(error), judge);
  };
}
