/**
 * An address in lower case, as SQL. Used for mailing, where nothing else is folded: an address that only looks like the
 * stored one is another mailbox.
 */
export const lowercaseEmail = (sql: string): string => `lower(${sql} COLLATE "und-x-icu")`;

/**
 * An address in the form used for comparisons, as SQL; the unique index has the same expression. Letters that can be
 * encoded in two ways, such as those of full width, are the same. Case is folded by ICU: the database's own rules
 * depend on its locale, and under `C` do not cover non-ASCII letters.
 */
export const foldedEmail = (sql: string): string => lowercaseEmail(`normalize(${sql}, NFKC)`);

/** The same in memory, for what is counted by address. */
export const foldEmail = (address: string): string => address.normalize('NFKC').toLowerCase();
