import {
  type BoundLeaf,
  type Case,
  type Cell,
  type Decision,
  evaluateFilter,
  failedClauses,
  missingFields,
  operatorName,
  type RowView,
} from '../../engine';
import { FailedValidation, Forbidden, SeveralErrors } from '../../common/errors';
import type { Key } from '../hooks';

/** One row of a write: what was sent for it, and for an update which cases the row met before the first write. */
export interface Judged {
  readonly key: Key;
  /** Every field of the payload, lists included; presets are no part of it. */
  readonly fields: readonly string[];
  readonly sent: ReadonlyMap<string, Cell>;
  readonly met?: readonly Case[];
}

/**
 * Judges the resulting row of a create or update. A case counts if its rows hold (create: on this row; update: on the
 * row as it was) and its validation holds on this row; the payload's fields must lie within what the counting cases list.
 * @throws Forbidden, or FailedValidation where only a validation stood in the way
 */
export function judgeRow(decision: Decision, row: RowView, judged: Judged): void {
  const reached = judged.met ?? decision.cases.filter((each) => evaluateFilter(each.rows, row));
  const counting = reached.filter((each) => evaluateFilter(each.validation, row));
  if (covers(counting, judged.fields)) return;
  if (!covers(reached, judged.fields)) throw new Forbidden({});
  throw failedValidation(reached, row, judged);
}

export const covers = (cases: readonly Case[], fields: readonly string[]): boolean =>
  cases.length > 0 && missingFields(fields, cases).length === 0;

/** Names only what the payload set; a clause about anything else is one entry that tells nothing. */
function failedValidation(reached: readonly Case[], row: RowView, judged: Judged): Error {
  const failed = reached.flatMap((each) => failedClauses(each.validation, row));
  const named = failed.flatMap((clause) =>
    clause.kind === 'leaf' && judged.fields.includes(clause.subject.field.name)
      ? [describeLeaf(clause)]
      : [],
  );
  const [first = {}, ...rest] = [
    ...new Map(named.map((each) => [JSON.stringify(each), each])).values(),
  ];
  const errors = rest.map((each) => new FailedValidation(each));
  return new SeveralErrors([new FailedValidation(first), ...errors]);
}

interface FailedLeaf {
  readonly field: string;
  readonly type: string;
  readonly valid?: unknown;
}

/** The bound is shown where the rule wrote it, and not where it is a value of somebody's row. */
function describeLeaf(leaf: BoundLeaf): FailedLeaf {
  const { field, fn } = leaf.subject;
  const [bound] = leaf.operands;
  const valid = leaf.test === 'in' || leaf.test === 'between' ? leaf.operands : bound;
  return {
    field: fn === null ? field.name : `${fn}(${field.name})`,
    type: operatorName(leaf).slice(1),
    ...(leaf.operands.length > 0 && !leaf.variable && { valid }),
  };
}
