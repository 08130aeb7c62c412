/** Details of an error beside its code. All may be missing: a proxy may have answered. */
export interface Fault {
  /** The service's message. */
  readonly message?: string;
  readonly field?: string;
  /** What is wrong with the field: `must be a whole number`. */
  readonly reason?: string;
  /** The type of a FAILED_VALIDATION: `min_length`, `regex` … */
  readonly type?: string;
  readonly valid?: unknown;
  /** In seconds. */
  readonly retryAfter?: number;
}

/** An error code of the service, or one of these pages where there was no answer. */
export class ApiError extends Error {
  constructor(
    readonly code: string,
    readonly fault: Fault = {},
    /** Further errors of the same answer: one for each wrong field of a form. */
    readonly others: readonly ApiError[] = [],
  ) {
    super(code);
  }
}

/** There was no answer, or one that did not come from the service. */
export const UNREACHABLE = 'UNREACHABLE';
/** The sign-in succeeded, but the browser did not send the session cookie back. */
export const SESSION_NOT_KEPT = 'SESSION_NOT_KEPT';

export type Json = Readonly<Record<string, unknown>>;

const TIMEOUT_MS = 30_000;
const script = import.meta.url;

/**
 * The base path of the service, with a slash at the end. A proxy may serve it under any path; this script is at
 * `admin/assets/` below it.
 */
export const ROOT = import.meta.env.DEV ? '/' : new URL('../../', script).pathname;

/**
 * Sends a request with the session cookie; returns the body of the answer, `{}` if there is none.
 * @param path below the service's root, without a slash at the start
 * @throws ApiError and no other error
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
    message: asText(entry['message']),
    field: asText(field),
    reason: asText(reason),
    type: asText(type),
  };
  const known = Object.entries(said).filter(([, value]) => value !== undefined);
  const fault = {
    ...(Object.fromEntries(known) as Fault),
    ...(valid !== undefined && { valid }),
    ...(Number.isFinite(retryAfter) && { retryAfter }),
  };
  return new ApiError(asText(code) ?? UNREACHABLE, fault, others);
}
