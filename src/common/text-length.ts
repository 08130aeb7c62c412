/** The number of characters of a text, or of any other value as JSON. */
export const textLength = (value: unknown): number =>
  typeof value === 'string' ? value.length : (JSON.stringify(value) ?? '').length;
