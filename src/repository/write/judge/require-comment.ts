import { type Caller, type Case, covers } from '../../../engine';
import { InvalidPayload } from '../../../common/errors';
import { COMMENT_HEADER } from '../../../common/request/request-info';

/** Whether only rules that require a comment allow a write, and none was sent. */
export function lacksComment(
  caller: Caller,
  cases: readonly Case[],
  fields: readonly string[],
): boolean {
  if (!cases.some((each) => each.explain)) return false;
  const others = cases.filter((each) => each.explain !== true);
  return !covers(others, fields) && (caller.request?.comment ?? null) === null;
}

/**
 * Requires a comment where only rules that require one allow a write.
 * @param cases those that allow it
 * @throws InvalidPayload
 */
export function requireComment(
  caller: Caller,
  cases: readonly Case[],
  fields: readonly string[],
): void {
  if (!lacksComment(caller, cases, fields)) return;
  const reason = 'is missing: the rules require a comment on this change';
  throw new InvalidPayload({ field: COMMENT_HEADER, reason });
}
