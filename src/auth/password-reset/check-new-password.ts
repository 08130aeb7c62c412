import { FailedValidation, InvalidPayload } from '../../common/errors';
import type { PasswordRules } from '../../users';

/**
 * Checks a new password against the common rules and the project's pattern; violations are reported as faults of the
 * body.
 * @throws InvalidPayload
 */
export async function checkNewPassword(rules: PasswordRules, password: string): Promise<void> {
  try {
    await rules.check(password);
  } catch (error) {
    if (!(error instanceof FailedValidation)) throw error;
    throw new InvalidPayload({ field: 'password', reason: reasonOf(error.details) });
  }
}

function reasonOf({ type, valid }: { type?: string; valid?: unknown }): string {
  switch (type) {
    case 'min_length':
      return `must have at least ${String(valid)} characters`;
    case 'max_bytes':
      return `must have at most ${String(valid)} bytes`;
    case 'common':
      return 'is one that everybody tries first';
    case 'regex':
      return `must match ${String(valid)}`;
    default:
      return 'is too weak';
  }
}
