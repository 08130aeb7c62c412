/** PostgreSQL's text, converted to the form of all timestamps of the API. */
export const timestamp = (text: string): string => new Date(text).toISOString();
