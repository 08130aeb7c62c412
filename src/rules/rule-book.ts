import { Logger } from '@nestjs/common';
import {
  AccessFault,
  type Action,
  parseRule,
  type Rule,
  type RuleBook,
  type RuleSource,
  type Schema,
} from '../access';
import type { Queries } from '../database/database';
import { noteWeight } from './weights';

const RULES = `
  SELECT id, policy, collection, action, permissions, validation, presets, fields
  FROM service_permissions WHERE policy = ANY($1::uuid[]) ORDER BY id`;

const logger = new Logger('Rules');

/** The rules of some policies, checked and sorted by what they speak of. */
export async function loadRuleBook(
  database: Queries,
  schema: Schema,
  policies: readonly string[],
): Promise<RuleBook> {
  const book = new Map<string, Map<Action, Rule[]>>();
  const rows = policies.length === 0 ? [] : await database.query<RuleSource>(RULES, [policies]);
  for (const row of rows) {
    const rule = readRule(row, schema);
    if (rule) shelve(book, rule);
  }
  return book;
}

/** A stored rule that no longer fits its collection grants nothing: it must not come to mean something else. */
function readRule(row: RuleSource, schema: Schema): Rule | undefined {
  try {
    const rule = parseRule(row, schema);
    noteWeight(rule, row);
    return rule;
  } catch (error) {
    if (!(error instanceof AccessFault)) throw error;
    logger.warn(`rule ${row.id} grants nothing: ${error.message}`);
    return undefined;
  }
}

function shelve(book: Map<string, Map<Action, Rule[]>>, rule: Rule): void {
  const actions = book.get(rule.collection) ?? new Map<Action, Rule[]>();
  book.set(rule.collection, actions);
  const rules = actions.get(rule.action);
  if (rules) rules.push(rule);
  else actions.set(rule.action, [rule]);
}
