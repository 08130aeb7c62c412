import type { Key, Queries } from '../collections';

export interface StoredRule {
  readonly id: number;
  readonly policy: string;
  readonly collection: string;
  readonly action: string;
  readonly permissions: unknown;
  readonly validation: unknown;
  readonly presets: unknown;
  readonly fields: readonly string[];
}

const RULES = `
  SELECT id, policy, collection, action, permissions, validation, presets, fields
  FROM service_permissions`;

export const readStoredRules = (queries: Queries, keys: readonly Key[]): Promise<StoredRule[]> =>
  queries.query<StoredRule>(`${RULES} WHERE id = ANY($1::int4[]) ORDER BY id`, [keys]);

export const readAllRules = (queries: Queries): Promise<StoredRule[]> =>
  queries.query<StoredRule>(`${RULES} ORDER BY id`);
