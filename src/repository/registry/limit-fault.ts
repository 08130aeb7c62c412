import { compareValues, matchesPattern, type StoredField, textOf, type Value } from '../../engine';
import { isEmailAddress } from '../../config/email-address';

interface LimitFault {
  /** The violated operator, as in a rule's validation. */
  readonly type: 'gte' | 'lte' | 'regex' | 'email';
  /** The bound that the value must keep. */
  readonly valid?: string | number;
}

/** Which of a field's limits a value violates; the value itself is not included. */
export function limitFault({ type, limits }: StoredField, value: Value): LimitFault | undefined {
  if (!limits) return undefined;
  const { min, max, pattern, email } = limits;
  if (min !== undefined && compareValues(type, value, min) < 0) return { type: 'gte', valid: min };
  if (max !== undefined && compareValues(type, value, max) > 0) return { type: 'lte', valid: max };
  if (pattern !== undefined && !matchesPattern(pattern, textOf(value)))
    return { type: 'regex', valid: pattern };
  return email && !isEmailAddress(textOf(value)) ? { type: 'email' } : undefined;
}
