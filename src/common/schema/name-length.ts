/** In bytes: PostgreSQL cuts longer ones off. */
export const LONGEST_NAME = 63;
export const TOO_LONG = `a name in PostgreSQL has at most ${LONGEST_NAME} bytes.`;

/** A comparison would miss a name that has been cut off. */
export const isTooLong = (name: string): boolean => Buffer.byteLength(name) > LONGEST_NAME;
