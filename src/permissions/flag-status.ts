import { isDeepStrictEqual } from 'node:util';
import { InvalidPayload } from '../common/errors';
import { isRecord } from '../common/is-object';
import type { Payload } from '../repository';
import { has, readNames } from './flag-parts';
import type { StoredRule } from './stored-rules';

type Part = 'permissions' | 'validation';
type Conditions = Readonly<Record<string, unknown>>;

interface Rules {
  /** The names of the fields of their collection; none where it does not exist, or where they have different ones. */
  readonly fields: readonly string[];
  /** The rules that are updated; none for a new rule. */
  readonly updated: readonly StoredRule[];
}

/** One operator on the field `status`: undefined removes it. */
interface StatusCondition {
  /** The property that was sent. */
  readonly sent: 'status' | 'status_blacklist';
  readonly part: Part;
  readonly operator: '_eq' | '_nin';
  readonly operand: unknown;
}

/**
 * Turns `status` and `status_blacklist` into conditions. A required status is a condition on the row; a denied one is a
 * condition on the row or on the written values. All other conditions of an updated rule are kept: without them it would
 * grant more than before.
 *
 *     { status: 'draft' } with { permissions: { owner: … } } stored
 *     { permissions: { owner: …, status: { _eq: 'draft' } } }
 *
 * @throws InvalidPayload that names the property
 */
export function readFlaggedStatus(
  payload: Payload,
  action: string,
  { fields, updated }: Rules,
): Payload {
  const conditions = conditionsOf(payload, action);
  const read: Partial<Record<Part, Conditions>> = {};
  for (const condition of conditions) {
    const { sent, part } = condition;
    if (condition.operand !== undefined && fields.length > 0 && !fields.includes('status'))
      throw new InvalidPayload({ field: sent, reason: 'needs a collection with a field "status"' });
    read[part] = withStatus(read[part] ?? storedIn(part, updated, sent), condition);
  }
  return { ...read };
}

function conditionsOf(payload: Payload, action: string): StatusCondition[] {
  const conditions: StatusCondition[] = [];
  if (has(payload, 'status')) {
    const { status } = payload;
    if (typeof status !== 'string')
      throw new InvalidPayload({ field: 'status', reason: 'must be a string' });
    const operator = '_eq';
    conditions.push({ sent: 'status', part: 'permissions', operator, operand: status });
  }
  if (has(payload, 'status_blacklist')) {
    const denied = readNames(payload, 'status_blacklist');
    const part = action === 'create' || action === 'update' ? 'validation' : 'permissions';
    const operand = denied.length > 0 ? denied : undefined;
    conditions.push({ sent: 'status_blacklist', part, operator: '_nin', operand });
  }
  return conditions;
}

/** The conditions that the updated rules have so far. */
function storedIn(part: Part, updated: readonly StoredRule[], sent: string): Conditions {
  const [first, ...others] = updated.map((rule) => rule[part]);
  if (others.some((other) => !isDeepStrictEqual(other, first))) {
    const reason = `needs rules with the same "${part}"`;
    throw new InvalidPayload({ field: sent, reason });
  }
  return isRecord(first) ? first : {};
}

function withStatus(
  { status: stored, ...others }: Conditions,
  { operator, operand }: StatusCondition,
): Conditions {
  const changed = { ...(isRecord(stored) ? stored : {}), [operator]: operand };
  const kept = Object.entries(changed).filter(([, each]) => each !== undefined);
  return kept.length === 0 ? others : { ...others, status: Object.fromEntries(kept) };
}
