import isEmail from 'validator/lib/isEmail';

/** Half a character: the library below counts bytes, and throws there. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/** One address on one line, and nothing beside it: no name, no list, no quotes, in which anything may stand. */
export const isEmailAddress = (text: string): boolean =>
  !LONE_SURROGATE.test(text) &&
  isEmail(text, { allow_display_name: false, blacklisted_chars: '"' });
