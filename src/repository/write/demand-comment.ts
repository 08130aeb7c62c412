import { type Caller, type Case, missingFields } from '../../engine';
import { InvalidPayload } from '../../common/errors';
import { COMMENT_HEADER } from '../../common/request/request-info';

export const covers = (cases: readonly Case[], fields: readonly string[]): boolean =>
  cases.length > 0 && missingFields(fields, cases).length === 0;

/**
 * Requires a comment where only rules that demand one allow a write.
 * @param cases those that allow it
 * @throws InvalidPayload
 */
export function demandComment(
  caller: Caller,
  cases: readonly Case[],
  fields: readonly string[],
): void {
  if (!cases.some((each) => each.explain)) return;
  const others = cases.filter((each) => each.explain !== true);
  if (covers(others, fields) || (caller.request?.comment ?? null) !== null) return;
  const reason = 'is missing: by the rules this must be explained';
  throw new InvalidPayload({ field: COMMENT_HEADER, reason });
}
