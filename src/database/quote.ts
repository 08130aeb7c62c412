/** A name in SQL. */
export { escapeIdentifier as quote } from 'pg';

/** A text as an SQL literal. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
