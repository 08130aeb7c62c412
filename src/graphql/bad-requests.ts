import {
  type AppError,
  InvalidPayload,
  MethodNotAllowed,
  UnsupportedMediaType,
} from '../common/errors';

interface RefusedHead {
  readonly status?: number;
  readonly headers?: ReadonlyMap<string, string>;
}

/** What Apollo refuses before it reads the document; it answers these with its own status. */
export function badRequest(original: unknown): AppError {
  const { extensions = {}, message = '' } = (original ?? {}) as {
    readonly extensions?: { readonly http?: RefusedHead };
    readonly message?: string;
  };
  const { http } = extensions;
  if (http?.status === 405)
    return new MethodNotAllowed({ allowed: (http.headers?.get('allow') ?? '').split(', ') });
  if (http?.status === 415) return new UnsupportedMediaType({});
  return malformed(message);
}

/** By Apollo's messages, which have no code. The field is named in the message, or else here. */
const REASONS: readonly (readonly [RegExp, reason: string, field?: string])[] = [
  [/batching|^No operations/, 'the body must be one request, not a list of several'],
  [/body missing|non-empty `query`/, 'is missing', 'query'],
  [/^GraphQL queries must be strings/, 'must be a string', 'query'],
  [/search parameter may only be specified once/, 'is given more than once'],
  [/search parameter (contains invalid JSON|should contain)/, 'must be an object in JSON'],
  [/an object/, 'must be an object'],
  [/a string/, 'must be a string'],
];

const MEMBER = /\b(query|variables|extensions|operationName)\b/;

function malformed(message: string): AppError {
  const [, reason, named] = REASONS.find(([pattern]) => pattern.test(message)) ?? [];
  if (reason === undefined)
    return new InvalidPayload({ reason: 'the request is not a GraphQL request' });
  const field = named ?? MEMBER.exec(message)?.[1];
  return new InvalidPayload({ ...(field !== undefined && { field }), reason });
}
