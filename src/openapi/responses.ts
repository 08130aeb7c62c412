import * as errors from '../common/errors';
import type { JsonSchema } from '../common/request/describe.decorator';
import { listOf, objectOf, TEXT } from '../common/request/json-schema';

/** Error codes by status. */
function codesByStatus(): Map<number, string[]> {
  const codes = new Map<number, string[]>();
  for (const each of Object.values(errors) as unknown[]) {
    const { code, status } = (each ?? {}) as { readonly code?: unknown; readonly status?: unknown };
    if (typeof code !== 'string' || typeof status !== 'number') continue;
    codes.set(status, [...new Set([...(codes.get(status) ?? []), code])]);
  }
  return codes;
}

const JSON_TYPE = 'application/json';
const CODES = codesByStatus();

/** Refusals that any request may get. */
const ALWAYS = [400, 401, 403, 429, 500, 503];
const OF_BODIES = [413, 415];
const WRITTEN = [...ALWAYS, ...OF_BODIES, 404, 405, 409, 422];

const refTo = (status: number): JsonSchema => ({ $ref: `#/components/responses/${status}` });

interface Refusals {
  readonly takesBody: boolean;
  /** Statuses beside those that any request may get. */
  readonly more?: readonly number[] | undefined;
}

/** The error answers of a route. */
export const faultResponses = ({ takesBody, more = [] }: Refusals): JsonSchema =>
  Object.fromEntries(
    [...ALWAYS, ...(takesBody ? OF_BODIES : []), ...more].map((status) => [status, refTo(status)]),
  );

/** One component for each status, with its codes. */
export const responseComponents = (): JsonSchema =>
  Object.fromEntries(
    WRITTEN.map((status) => [
      status,
      { ...faultResponse(status, [JSON_TYPE]), ...(status === 429 && { headers: RETRY }) },
    ]),
  );

const ITEM = {
  type: 'integer',
  minimum: 0,
  description: 'Of several items in the body, the position of the one that the error is about.',
};

/** An error answer that may have any of these media types. */
export function faultResponse(status: number, types: readonly string[]): JsonSchema {
  const codes = CODES.get(status) ?? [];
  const entry = objectOf({
    message: TEXT,
    extensions: objectOf({ code: { ...TEXT, examples: codes }, 'item?': ITEM }),
  });
  return {
    description: codes.map((code) => `\`${code}\``).join(', '),
    ...contentOf(types, objectOf({ errors: listOf(entry) })),
  };
}

const RETRY = {
  'Retry-After': {
    description: 'Seconds to wait before another attempt.',
    schema: { type: 'integer' },
  },
};

export const jsonContent = (schema: JsonSchema): JsonSchema => contentOf([JSON_TYPE], schema);

/** The same in any of these media types. */
export const contentOf = (types: readonly string[], schema: JsonSchema): JsonSchema => ({
  content: Object.fromEntries(types.map((type) => [type, { schema }])),
});
