/** The query of an address, by name; every value is text, whatever it looks like. */
export const parseQuery = (query: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(query));

/** The other way round: with `?` before it, or nothing. */
export function stringifyQuery(values: Record<string, unknown>): string {
  const texts = Object.entries(values).flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [],
  );
  return texts.length === 0 ? '' : `?${new URLSearchParams(texts).toString()}`;
}
