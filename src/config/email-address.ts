import isEmail from 'validator/lib/isEmail';

/** One address on one line, and nothing beside it: no name, no list, no quotes, in which anything may stand. */
export const isEmailAddress = (text: string): boolean =>
  isEmail(text, { allow_display_name: false, blacklisted_chars: '"' });
