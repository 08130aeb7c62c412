/** What an answer says of a fault, beside its code. All of it may be missing: a proxy may have answered. */
export interface Fault {
  /** In the service's words. */
  readonly message?: string;
  readonly field?: string;
  /** What is wrong with it: `must be a whole number`. */
  readonly reason?: string;
  /** The kind of a FAILED_VALIDATION: `min_length`, `regex` … */
  readonly type?: string;
  readonly valid?: unknown;
  /** In seconds. */
  readonly retryAfter?: number;
}

/** A code of the service, or one of ours for what came of no answer. */
export class ApiError extends Error {
  constructor(
    readonly code: string,
    readonly fault: Fault = {},
    /** What else the same answer says: each fault of a form is an entry of its own. */
    readonly others: readonly ApiError[] = [],
  ) {
    super(code);
  }
}

/** There was no answer, or none that the service gives. */
export const UNREACHABLE = 'UNREACHABLE';
/** The sign-in was right, but the browser did not send the session back. */
export const SESSION_NOT_KEPT = 'SESSION_NOT_KEPT';

export type Json = Readonly<Record<string, unknown>>;

const TIMEOUT_MS = 30_000;
const script = import.meta.url;

/**
 * The path under which the service answers, with a slash at the end. A proxy may have put it anywhere; this script
 * lies at `admin/assets/` of it.
 */
export const ROOT = import.meta.env.DEV ? '/' : new URL('../../', script).pathname;

/**
 * Sends a request with the session's cookie; gives the body of the answer, `{}` where there is none.
 * @param path below the service's root, without a slash at the start
 * @throws ApiError, and nothing else
 */
export async function send(method: string, path: string, body?: Json): Promise<Json> {
  const response = await answerOf(method, path, body);
  const answer = await contentOf(response);
  if (response.ok) return answer;
  const [first, ...others] = asList(answer['errors']);
  const also = others.map((entry) => errorOf(asObject(entry), response));
  throw errorOf(asObject(first), response, also);
}

export const asObject = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};

export const asList = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? (value as unknown[]) : [];

export const asText = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

async function answerOf(method: string, path: string, body?: Json): Promise<Response> {
  try {
    return await fetch(ROOT + path, {
      method,
      credentials: 'same-origin',
      cache: 'no-store',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
  } catch {
    throw new ApiError(UNREACHABLE);
  }
}

async function contentOf(response: Response): Promise<Json> {
  try {
    const text = await response.text();
    return text === '' ? {} : asObject(JSON.parse(text));
  } catch {
    throw new ApiError(UNREACHABLE);
  }
}

function errorOf(entry: Json, { headers }: Response, others?: readonly ApiError[]): ApiError {
  const { code, field, reason, type, valid } = asObject(entry['extensions']);
  const retryAfter = Number(headers.get('retry-after') ?? Number.NaN);
  const said = {
    ...{ message: asText(entry['message']), field: asText(field) },
    ...{ reason: asText(reason), type: asText(type) },
  };
  const known = Object.entries(said).filter(([, value]) => value !== undefined);
  const fault = {
    ...(Object.fromEntries(known) as Fault),
    ...(valid !== undefined && { valid }),
    ...(Number.isFinite(retryAfter) && { retryAfter }),
  };
  return new ApiError(asText(code) ?? UNREACHABLE, fault, others);
}
