/**
 * An address in the form used for comparisons, as SQL; the unique index has the same expression. Letters that are written
 * in two ways are one, such as those of full width. Folded by ICU's rules: the database's own depend on its locale, and
 * under `C` do not cover non-ASCII letters.
 */
export const foldedEmail = (sql: string): string =>
  `lower(normalize(${sql}, NFKC) COLLATE "und-x-icu")`;

/** The same, in which an address that only looks like another one is not that one: for what is mailed. */
export const exactEmail = (sql: string): string => `lower(${sql} COLLATE "und-x-icu")`;
