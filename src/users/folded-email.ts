/** An address without regard to case, as SQL: for what is mailed, where one that only looks like another is not that one. */
export const exactEmail = (sql: string): string => `lower(${sql} COLLATE "und-x-icu")`;

/**
 * An address in the form used for comparisons, as SQL; the unique index has the same expression. Letters that are written
 * in two ways are one, such as those of full width. Folded by ICU's rules: the database's own depend on its locale, and
 * under `C` do not cover non-ASCII letters.
 */
export const foldedEmail = (sql: string): string => exactEmail(`normalize(${sql}, NFKC)`);

/** The same in memory, for what is counted by address. */
export const foldEmail = (address: string): string => address.normalize('NFKC').toLowerCase();
