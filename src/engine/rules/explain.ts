import type { BoundLeaf, Through } from '../filter/filter';
import { evaluateFilter, failedClauses, type RowView } from '../filter/evaluate-filter';
import type { Value } from '../schema/value';
import { allowsAny, type Decision, isNamed, missingFields, type PolicyVerdict } from './decision';
import { hasField } from './rule';

/** How one rule applies to one row. */
export interface CaseReport {
  readonly rule: number | null;
  readonly policy: string | null;
  readonly meets: boolean;
  /** The clauses of its row filter that the row does not meet. */
  readonly failed: readonly (BoundLeaf | Through<Value>)[];
  /** Variables that had no value and so made their clauses false. */
  readonly valueless: readonly string[];
  /** Of the requested fields, those that this rule does not list. */
  readonly lacks: readonly string[];
}

/** Why a caller may or may not do something with a row. */
export interface Explanation {
  readonly allowed: boolean;
  readonly policies: readonly PolicyVerdict[];
  readonly cases: readonly CaseReport[];
  /** Of the requested fields, those that no matching rule grants. */
  readonly missing: readonly string[];
  /** Of the requested fields, those that no rule names at all: a query that names one is refused. */
  readonly unnamed: readonly string[];
}

/**
 * Explains a decision about one row and the requested fields, by the same filters that enforce it. No route or page shows
 * this yet.
 */
export function explainRow(
  decision: Decision,
  row: RowView,
  fields: readonly string[],
): Explanation {
  const met = decision.cases.filter((each) => evaluateFilter(each.rows, row));
  const missing = missingFields(fields, met);
  return {
    allowed: allowsAny(decision) && met.length > 0 && missing.length === 0,
    policies: decision.considered,
    cases: decision.cases.map((each) => ({
      rule: each.rule,
      policy: each.policy,
      meets: met.includes(each),
      failed: failedClauses(each.rows, row),
      valueless: each.valueless,
      lacks: fields.filter((field) => !hasField(each.fields, field)),
    })),
    missing,
    unnamed: fields.filter((field) => !isNamed(decision, field)),
  };
}
