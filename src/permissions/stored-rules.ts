import type { Key, MarkedSource } from '../repository';
import type { Queries, RuleMarks } from '../database';

export interface StoredRule extends MarkedSource {
  readonly fields: readonly string[];
  readonly marks: RuleMarks;
  readonly asleep: boolean;
}

const RULES = `
  SELECT id, policy, collection, action, permissions, validation, presets, fields, explain, marks, asleep
  FROM service_permissions`;
const MARK = 'UPDATE service_permissions SET marks = $2::jsonb, asleep = $3 WHERE id = $1';

export const readStoredRules = (queries: Queries, keys: readonly Key[]): Promise<StoredRule[]> =>
  queries.query<StoredRule>(`${RULES} WHERE id = ANY($1::int4[]) ORDER BY id`, [keys]);

export const readRulesOf = (queries: Queries, policies: readonly string[]): Promise<StoredRule[]> =>
  queries.query<StoredRule>(`${RULES} WHERE policy = ANY($1::uuid[]) ORDER BY id`, [policies]);

/** Reads all rules, and locks them until the transaction ends. */
export const lockAllRules = (queries: Queries): Promise<StoredRule[]> =>
  queries.query<StoredRule>(`${RULES} ORDER BY id FOR UPDATE`);

export async function storeMarks(
  queries: Queries,
  id: Key,
  marks: RuleMarks,
  asleep: boolean,
): Promise<void> {
  await queries.query(MARK, [id, JSON.stringify(marks), asleep]);
}
