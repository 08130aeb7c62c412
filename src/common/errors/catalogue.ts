import type { FieldReference } from './data-errors';
import { defineError, type Headers } from './define-error';

/* Every error: those in `data-errors` concern what was sent, requested or stored, these everything else. */
export * from './data-errors';

export const InvalidCredentials = defineError('INVALID_CREDENTIALS', 401, 'Invalid credentials.');

export const InvalidOtp = defineError('INVALID_OTP', 401, 'Invalid one-time password.');

export const TokenExpired = defineError('TOKEN_EXPIRED', 401, 'Token expired.');

export const InvalidToken = defineError('INVALID_TOKEN', 403, 'Invalid token.');

/**
 * 403 FORBIDDEN: the caller may not do this, or the collection, field or item does not exist. Both get the same answer,
 * so that it reveals nothing; it repeats only what the caller named.
 *
 *     throw new Forbidden({ collection: 'invoices', field: 'total' });
 */
export const Forbidden = defineError<FieldReference>('FORBIDDEN', 403, ({ collection, field }) => {
  const what =
    field === undefined
      ? 'this'
      : `field "${field}"${collection === undefined ? '' : ` of "${collection}"`}`;
  return `You don't have permission to access ${what}, or it does not exist.`;
});

/** The same for every request, so that it reveals nothing. */
export const TfaRequired = defineError(
  'FORBIDDEN',
  403,
  'Set up two-factor authentication first: a policy of yours requires it.',
);

/** Answers a caller who could change the row if it did not come with a module. */
export const ManagedByModule = defineError<{ managed: string }>(
  'FORBIDDEN',
  403,
  ({ managed }: { managed?: string }) =>
    `This comes with a module${managed === undefined ? '' : `, in its rules "${managed}"`}, and can only be changed there.`,
);

export const RouteNotFound = defineError<{ path: string }>(
  'ROUTE_NOT_FOUND',
  404,
  ({ path }) => `Route ${path} doesn't exist.`,
);

export const MethodNotAllowed = defineError<{ allowed: string[] }>(
  'METHOD_NOT_ALLOWED',
  405,
  ({ allowed }) => `This route takes ${allowed.join(', ')}.`,
  ({ allowed }) => ({ Allow: allowed.join(', ') }),
);

export const RequestTimeout = defineError(
  'REQUEST_TIMEOUT',
  408,
  'The request took too long to arrive.',
);

export const ContentTooLarge = defineError('CONTENT_TOO_LARGE', 413, 'The body is too large.');

/** JSON is read on every route; `also` is the other type that this one accepts. */
export const UnsupportedMediaType = defineError<{ also?: string }>(
  'UNSUPPORTED_MEDIA_TYPE',
  415,
  ({ also }) => {
    const json = 'JSON in UTF-8 (Content-Type: application/json)';
    return `The body must be ${also === undefined ? json : `${json} or ${also}`}.`;
  },
);

export const ExpectationFailed = defineError(
  'EXPECTATION_FAILED',
  417,
  'The only supported value of "Expect" is 100-continue.',
);

export const UnprocessableContent = defineError<{ reason: string }>(
  'UNPROCESSABLE_CONTENT',
  422,
  ({ reason }: { reason?: string }) =>
    `Unprocessable content${reason === undefined ? '' : `: ${reason}`}.`,
);

export const RequestsExceeded = defineError<{ retryAfter: number }>(
  'REQUESTS_EXCEEDED',
  429,
  ({ retryAfter }) => `Too many requests, retry in ${retryAfter} s.`,
  ({ retryAfter }) => ({ 'Retry-After': String(retryAfter) }),
);

export const HeadersTooLarge = defineError(
  'HEADERS_TOO_LARGE',
  431,
  'The address and the headers together are too large.',
);

/** For the log only: the client is gone. */
export const ClientLeft = defineError('CLIENT_LEFT', 499, 'The client left before the answer.');

export const InternalServerError = defineError(
  'INTERNAL_SERVER_ERROR',
  500,
  'An unexpected error occurred.',
);

interface Unavailable {
  service?: string;
  reason?: string;
  /** Seconds. */
  retryAfter?: number;
}

export const ServiceUnavailable = defineError<Unavailable>(
  'SERVICE_UNAVAILABLE',
  503,
  ({ service, reason }) => {
    const what =
      service === undefined ? 'Service unavailable' : `Service "${service}" is unavailable`;
    return reason === undefined ? `${what}.` : `${what}: ${reason}.`;
  },
  ({ retryAfter }): Headers =>
    retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) },
);
