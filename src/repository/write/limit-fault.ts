import { compareValues, matchesPattern, type StoredField, textOf, type Value } from '../../engine';
import { isEmailAddress } from '../../config/email-address';

interface LimitFault {
  /** The operator that does not hold, as a rule's validation names it. */
  readonly type: 'gte' | 'lte' | 'regex' | 'email';
  /** What would hold. */
  readonly valid?: string | number;
}

/** What of a field's limits a value does not keep; the value itself is not told. */
export function limitFault({ type, limits }: StoredField, value: Value): LimitFault | undefined {
  if (!limits) return undefined;
  const { min, max, pattern, email } = limits;
  if (min !== undefined && compareValues(type, value, min) < 0) return { type: 'gte', valid: min };
  if (max !== undefined && compareValues(type, value, max) > 0) return { type: 'lte', valid: max };
  if (pattern !== undefined && !matchesPattern(pattern, textOf(value)))
    return { type: 'regex', valid: pattern };
  return email && !isEmailAddress(textOf(value)) ? { type: 'email' } : undefined;
}
