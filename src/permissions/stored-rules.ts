import type { Key, Queries, RuleSource } from '../collections';

export interface StoredRule extends RuleSource {
  readonly fields: readonly string[];
}

const RULES = `
  SELECT id, policy, collection, action, permissions, validation, presets, fields
  FROM service_permissions`;

export const readStoredRules = (queries: Queries, keys: readonly Key[]): Promise<StoredRule[]> =>
  queries.query<StoredRule>(`${RULES} WHERE id = ANY($1::int4[]) ORDER BY id`, [keys]);

export const readAllRules = (queries: Queries): Promise<StoredRule[]> =>
  queries.query<StoredRule>(`${RULES} ORDER BY id`);
