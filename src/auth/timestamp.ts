/** As PostgreSQL writes it, in the form that all timestamps of the API have. */
export const timestamp = (text: string): string => new Date(text).toISOString();
