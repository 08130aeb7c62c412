import type { Queries } from '../database';

const KEEP_KEYS = {
  role: `UPDATE service_roles SET key = given.key FROM unnest($1::uuid[], $2::text[]) AS given(id, key)
    WHERE service_roles.id = given.id`,
  policy: `UPDATE service_policies SET key = given.key FROM unnest($1::uuid[], $2::text[]) AS given(id, key)
    WHERE service_policies.id = given.id`,
} as const;

/** Stores the keys that were derived from names, so that they stay the same when the names change. */
export async function keepKeys(
  tx: Queries,
  kind: keyof typeof KEEP_KEYS,
  keys: readonly string[],
  ids: ReadonlyMap<string, string>,
): Promise<void> {
  if (keys.length === 0) return;
  await tx.query(KEEP_KEYS[kind], [keys.map((key) => ids.get(key)), keys]);
}
