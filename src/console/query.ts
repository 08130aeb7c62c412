/** Parses a query string; every value is text, also one that looks like a number. */
export const parseQuery = (query: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(query));

/** Writes a query string with its `?`; empty without values. */
export function stringifyQuery(values: Record<string, unknown>): string {
  const texts = Object.entries(values).flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [],
  );
  return texts.length === 0 ? '' : `?${new URLSearchParams(texts).toString()}`;
}
