import {
  type BoundLeaf,
  type Case,
  covers,
  evaluateFilter,
  failedClauses,
  type FieldShape,
  operatorName,
  type RowView,
} from '../../../engine';
import {
  type FailedConstraint,
  FailedValidation,
  Forbidden,
  SeveralErrors,
} from '../../../common/errors';
import type { CollectionWrite } from '../collection-write';
import type { Judged } from './judged';
import { requireComment } from './require-comment';

/**
 * Judges the resulting row of a create or update. A case counts if its rows hold (create: on this row; update: on the
 * row as it was) and its validation holds on this row; the payload's fields must be within what the counting cases
 * list.
 * @throws Forbidden, or FailedValidation where only a validation failed
 * @throws InvalidPayload where it is allowed only with a comment, and none was sent
 */
export function judgeRow(
  { decision, caller }: Pick<CollectionWrite, 'decision' | 'caller'>,
  row: RowView,
  judged: Judged,
): void {
  const reached =
    judged.matching ?? decision.cases.filter((each) => evaluateFilter(each.rows, row));
  const counting = reached.filter((each) => evaluateFilter(each.validation, row));
  if (covers(counting, judged.fields)) return requireComment(caller, counting, judged.fields);
  if (!covers(reached, judged.fields)) throw new Forbidden({});
  throw failedValidation(reached, row, judged);
}

/** Names only fields of the payload; a clause about any other field is one entry without details. */
function failedValidation(reached: readonly Case[], row: RowView, judged: Judged): Error {
  const failed = reached.flatMap((each) => failedClauses(each.validation, row));
  const named = failed.flatMap((clause) =>
    judged.fields.includes(fieldOf(clause).name) ? [failureOf(clause)] : [],
  );
  const [first = {}, ...rest] = [
    ...new Map(named.map((each) => [JSON.stringify(each), each])).values(),
  ];
  const errors = rest.map((each) => new FailedValidation(each));
  return new SeveralErrors([new FailedValidation(first), ...errors]);
}

type FailedClause = ReturnType<typeof failedClauses>[number];

const fieldOf = (clause: FailedClause): FieldShape =>
  clause.kind === 'leaf' ? clause.expression.field : clause.field;

/** What related rows must be is not shown: the caller may not know their fields. */
const failureOf = (clause: FailedClause): FailedConstraint =>
  clause.kind === 'leaf' ? failureOfLeaf(clause) : { field: clause.field.name };

/** The bound is shown where it is written in the rule, and not where it is a value from someone's row. */
function failureOfLeaf(leaf: BoundLeaf): FailedConstraint {
  const { field, fn } = leaf.expression;
  const [bound] = leaf.operands;
  const valid = leaf.test === 'in' || leaf.test === 'between' ? leaf.operands : bound;
  return {
    field: fn === null ? field.name : `${fn}(${field.name})`,
    type: operatorName({ ...leaf, test: leaf.written ?? leaf.test }).slice(1),
    ...(leaf.operands.length > 0 && !leaf.variable && { valid }),
  };
}
