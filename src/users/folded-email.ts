/**
 * An address in the form used for comparisons, as SQL; the unique index has the same expression. Folded by ICU's rules:
 * the database's own depend on its locale, and under `C` do not cover non-ASCII letters.
 */
export const foldedEmail = (sql: string): string => `lower(${sql} COLLATE "und-x-icu")`;
