import { isLinearPattern } from '../engine';

/** Other programs store such patterns between slashes, possibly with flags: `/^.{12,}$/i`. */
const BETWEEN_SLASHES = /^\/(.+)\/([a-z]*)$/s;

/** The regular expression in the setting `auth_password_policy`: `^.{12,}$` for `/^.{12,}$/`. */
export const patternOf = (stored: string): string => {
  const [, pattern = stored, flags = ''] = BETWEEN_SLASHES.exec(stored) ?? [];
  return flags === '' ? pattern : stored;
};

/** Whether passwords can be compared with it in linear time. Flags cannot be kept: without them it means another thing. */
export const isPasswordPattern = (sent: string): boolean =>
  (BETWEEN_SLASHES.exec(sent)?.[2] ?? '') === '' && isLinearPattern(patternOf(sent));
