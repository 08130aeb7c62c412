import isEmail from 'validator/lib/isEmail';

/** Half a surrogate pair: the library below counts bytes, and throws. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/** One plain address on one line: no name, no list, and no quotes, which may contain anything. */
export const isEmailAddress = (text: string): boolean =>
  !LONE_SURROGATE.test(text) &&
  isEmail(text, { allow_display_name: false, blacklisted_chars: '"' });
