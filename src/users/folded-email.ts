/**
 * An address as it is compared, as SQL; the unique index has the same expression. Folded by ICU's rules: those of the
 * database itself depend on its locale, and under `C` know no letter beyond ASCII.
 */
export const foldedEmail = (sql: string): string => `lower(${sql} COLLATE "und-x-icu")`;
