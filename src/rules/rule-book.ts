import { Logger } from '@nestjs/common';
import { type Action, type Rule, type RuleBook, type Schema } from '../engine';
import { inTurns } from '../common/next-turn';
import type { Queries } from '../database';
import {
  type MarkedSource,
  type CurrentMarks,
  parseAwake,
  RULES_PER_TURN,
  type AwakeResult,
} from '../repository';
import { readRulesOf } from '../permissions';
import { type AppAccess, impliedRules } from './implied-rules';
import { noteWeight } from './weights';

const logger = new Logger('Rules');

/** Which rules a book holds: this key identifies it. */
export interface BookKey {
  readonly name: string;
  readonly policies: readonly string[];
  /** The policy among them that gives access to the service's own pages, if one does. */
  readonly appAccess: AppAccess | undefined;
}

/** @param policies the policies in force */
export function bookKey(policies: readonly string[], appAccess?: AppAccess): BookKey {
  const implied = appAccess ? ` ${appAccess.policy} ${appAccess.signedIn ? 'own' : ''}` : '';
  return { name: policies.join() + implied, policies, appAccess };
}

/** The rules of some policies, checked and sorted by collection and action. */
export async function loadRuleBook(
  database: Queries,
  schema: Schema,
  { policies, appAccess }: BookKey,
  currentMarks: CurrentMarks,
): Promise<RuleBook> {
  const book = new Map<string, Map<Action, Rule[]>>();
  const rows = policies.length === 0 ? [] : await readRulesOf(database, policies);
  const read = async (): Promise<AwakeResult[]> => {
    const done: AwakeResult[] = [];
    await inTurns(
      rows,
      RULES_PER_TURN,
      (row) => void done.push(parseAwake(row, schema, currentMarks)),
    );
    return done;
  };
  let woken = await read();
  if (woken.some((each) => 'asleep' in each && each.asleep === 'other')) {
    // A table may have been created since, with another mark.
    await currentMarks.reload();
    woken = await read();
  }
  for (const [index, row] of rows.entries()) {
    const rule = ruleOf(row, woken[index]);
    if (rule) addRule(book, rule);
  }
  for (const rule of appAccess ? impliedRules(appAccess, schema) : []) addRule(book, rule);
  return book;
}

/** A stored rule that no longer fits its collection grants nothing: it must not take on another meaning. */
function ruleOf(row: MarkedSource, woken: AwakeResult | undefined): Rule | undefined {
  if (woken && 'fault' in woken) {
    logger.warn(`rule ${row.id} grants nothing: ${woken.fault.message}`);
  }
  if (!woken || !('rule' in woken)) return undefined;
  noteWeight(woken.rule, row);
  return woken.rule;
}

function addRule(book: Map<string, Map<Action, Rule[]>>, rule: Rule): void {
  const actions = book.get(rule.collection) ?? new Map<Action, Rule[]>();
  book.set(rule.collection, actions);
  const rules = actions.get(rule.action);
  if (rules) rules.push(rule);
  else actions.set(rule.action, [rule]);
}
