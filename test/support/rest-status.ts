import * as catalogue from '../../src/common/errors/catalogue';
import type { Reply } from './clients';

const STATUSES = new Map(Object.values(catalogue).map(({ code, status }) => [code, status]));

/**
 * The status that REST has for the same result as a reply of GraphQL. If the document was executed, the reply's own
 * status is always 200; if not, its status is the same as over REST.
 */
export function restStatus({ body, status, codes }: Reply): number {
  if ((body as { data?: unknown } | undefined)?.data === undefined) return status;
  expect(status).toBe(200);
  const [code] = codes;
  return code === undefined ? 200 : (STATUSES.get(code) ?? NaN);
}

/** The reply with that status instead of its own, for comparison with the reply of REST. */
export const asRestReply = <T>(reply: Reply<T>): Reply<T> => ({
  ...reply,
  status: restStatus(reply as Reply),
});

/** An answer of REST with keys as text, like in GraphQL. */
export const withTextKeys = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withTextKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]: [string, unknown]) => [
      name,
      name === 'id' ? String(inner) : withTextKeys(inner),
    ]),
  );
};
