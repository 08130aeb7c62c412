/** A name in SQL. */
export { escapeIdentifier as quote } from 'pg';

/** The name that `quote` has quoted. */
export const unquote = (quoted: string): string => quoted.slice(1, -1).replaceAll('""', '"');

/** A text as an SQL literal. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
