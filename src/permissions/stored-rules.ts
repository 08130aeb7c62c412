import { isDeepStrictEqual } from 'node:util';
import type { Key, MarkedSource } from '../repository';
import type { Queries, RuleMarks } from '../database';

export interface StoredRule extends MarkedSource {
  readonly fields: readonly string[];
  readonly marks: RuleMarks;
  readonly asleep: boolean;
}

/** What a rule is marked with. */
export type MarkedRule = Pick<StoredRule, 'id' | 'marks' | 'asleep'>;

const RULES = `
  SELECT id, policy, collection, action, permissions, validation, presets, fields, explain, marks, asleep
  FROM service_permissions`;
const MARK = `
  UPDATE service_permissions rule SET marks = marked.marks, asleep = marked.asleep
  FROM json_to_recordset($1::json) AS marked (id int4, marks jsonb, asleep boolean) WHERE rule.id = marked.id`;

export const readStoredRules = (queries: Queries, keys: readonly Key[]): Promise<StoredRule[]> =>
  queries.query<StoredRule>(`${RULES} WHERE id = ANY($1::int4[]) ORDER BY id`, [keys]);

export const readRulesOf = (queries: Queries, policies: readonly string[]): Promise<StoredRule[]> =>
  queries.query<StoredRule>(`${RULES} WHERE policy = ANY($1::uuid[]) ORDER BY id`, [policies]);

export const readAllRules = (queries: Queries): Promise<StoredRule[]> =>
  queries.query<StoredRule>(`${RULES} ORDER BY id`);

/** Reads rules, and locks them until the transaction ends. */
export const lockRules = (queries: Queries, keys: readonly Key[]): Promise<StoredRule[]> =>
  queries.query<StoredRule>(`${RULES} WHERE id = ANY($1::int4[]) ORDER BY id FOR UPDATE`, [keys]);

/** Whether a stored rule is marked like this already. */
export const isMarked = (rule: StoredRule, { marks, asleep }: MarkedRule): boolean =>
  asleep === rule.asleep && isDeepStrictEqual(marks, rule.marks);

export async function storeMarks(queries: Queries, marked: readonly MarkedRule[]): Promise<void> {
  if (marked.length > 0) await queries.query(MARK, [JSON.stringify(marked)]);
}
