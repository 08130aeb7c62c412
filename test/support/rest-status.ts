import * as catalogue from '../../src/common/errors/catalogue';
import type { Reply } from './clients';

const STATUSES = new Map(Object.values(catalogue).map(({ code, status }) => [code, status]));

/**
 * The status by which REST says what a reply of GraphQL says. Where the document was executed the reply itself is always
 * 200; where it was not, its own status is the one.
 */
export function restStatus({ body, status, codes }: Reply): number {
  if ((body as { data?: unknown } | undefined)?.data === undefined) return status;
  expect(status).toBe(200);
  const [code] = codes;
  return code === undefined ? 200 : (STATUSES.get(code) ?? NaN);
}

/** A reply with that status in the place of its own, to be compared with the one of REST. */
export const asRestReply = <T>(reply: Reply<T>): Reply<T> => ({
  ...reply,
  status: restStatus(reply as Reply),
});

/** What REST answers as GraphQL does, where all keys are texts. */
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
