/** The fewest characters of a password, by Unicode code points. */
export const MIN_PASSWORD_CHARACTERS = 8;

/** The longest password: bcrypt reads no further, and would accept any longer one with the same beginning. */
export const MAX_PASSWORD_BYTES = 72;

export const isTooShort = (password: string): boolean =>
  Array.from(password).length < MIN_PASSWORD_CHARACTERS;

export const isTooLong = (password: string): boolean =>
  Buffer.byteLength(password) > MAX_PASSWORD_BYTES;
