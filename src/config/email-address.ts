import isEmail from 'validator/lib/isEmail';

/** Half a surrogate pair: the library below counts bytes, and throws. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Invisible characters, with which one address would look like another. */
const UNSEEN = /\p{Format}/u;
/** A domain in its encoded form: in its own letters it would be a second address of the same mailbox. */
const ENCODED = /[@.]xn--/i;

/** One plain address on one line: no name, no list, and no quotes, which may contain anything. */
export const isEmailAddress = (text: string): boolean =>
  !LONE_SURROGATE.test(text) &&
  !UNSEEN.test(text) &&
  !ENCODED.test(text) &&
  isEmail(text, { allow_display_name: false, blacklisted_chars: '"' });
