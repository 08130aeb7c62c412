import { HttpException } from '@nestjs/common';
import {
  ContentTooLarge,
  Forbidden,
  InternalServerError,
  InvalidCredentials,
  InvalidPayload,
  InvalidQuery,
  RequestsExceeded,
  RouteNotFound,
  ServiceUnavailable,
  UnsupportedMediaType,
} from './catalogue';
import { AppError, type AppErrors, SeveralErrors } from './define-error';
import { isFault } from './faults';
import { fromException, fromHttpError, muted } from './from-exception';

const RETRY_AFTER = 60;

/** One entry of `{"errors": […]}`, in REST and GraphQL alike. */
interface ErrorEntry {
  message: string;
  extensions: { code: string } & Record<string, unknown>;
}

/** @param request the id of the request, where the error is logged as our own fault */
export function toEntry(error: AppError, request?: string): ErrorEntry {
  const { message, details, code } = error;
  const named = request === undefined ? {} : { request_id: request };
  return { message, extensions: { ...details, code, ...named } };
}

/** Converts anything thrown into what a caller may see. The original is the cause. */
export function toAppErrors(error: unknown): AppErrors {
  if (error instanceof AppError) return [visible(error)];
  if (error instanceof SeveralErrors) {
    const [first, ...others] = error.errors;
    return [visible(first), ...others.map(visible)];
  }
  const original = mapped.get(error as object);
  if (original !== undefined) return [fromForeign(original)];
  if (error instanceof HttpException) return fromException(error);
  return [fromHttpError(error) ?? new InternalServerError({}, { cause: error })];
}

function visible(error: AppError): AppError {
  const isOwn = error instanceof InternalServerError || error instanceof ServiceUnavailable;
  return isOwn || !isFault(error) ? error : muted(error);
}

const mapped = new WeakMap<object, Error>();

/**
 * Marks that an exception stands for what Express threw before any handler was reached: Nest has made one of its own of
 * it, or left it as it is.
 */
export function markMapped(exception: unknown, original: unknown): void {
  if (
    exception instanceof Error &&
    original instanceof Error &&
    !(original instanceof HttpException)
  ) {
    mapped.set(exception, original);
  }
}

/** Like `toAppErrors`, for errors of Express before any handler. */
export function fromExpress(error: unknown): AppErrors {
  markMapped(error, error);
  return toAppErrors(error);
}

/** Errors of Express and its body parser about a request. */
function fromForeign(error: unknown): AppError {
  const options = { cause: error };
  const status = statusOf(error);
  if (status === undefined) return new InternalServerError({}, options);
  switch (status) {
    case 400:
      return badRequest(error);
    case 401:
      return new InvalidCredentials({}, options);
    case 403:
      return new Forbidden({}, options);
    case 404:
      return new RouteNotFound({ path: '' }, options);
    case 413:
      return new ContentTooLarge({}, options);
    case 415:
      return new UnsupportedMediaType({}, options);
    case 429:
      return new RequestsExceeded({ retryAfter: RETRY_AFTER }, options);
    case 503:
      return new ServiceUnavailable({}, options);
    default:
      return status < 500
        ? new InvalidPayload({ reason: 'the request cannot be read' }, options)
        : new InternalServerError({}, options);
  }
}

/** A bare `URIError` or `SyntaxError` is our own fault; one with a status is Express's about the request. */
function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  const { status, expose } = error as { status?: unknown; expose?: unknown };
  return typeof status === 'number' && (expose === true || error instanceof URIError)
    ? status
    : undefined;
}

function badRequest(error: unknown): AppError {
  const options = { cause: error };
  if (error instanceof URIError) {
    return new InvalidQuery({ reason: 'the path has a malformed %-escape' }, options);
  }
  const type = (error as { type?: unknown } | null)?.type;
  if (type === 'entity.parse.failed' || error instanceof SyntaxError) {
    return new InvalidPayload({ reason: reasonOf((error as { body?: unknown }).body) }, options);
  }
  return new InvalidPayload({ reason: 'the request cannot be read' }, options);
}

/** @param body the text of the body, as its parser attaches it */
function reasonOf(body: unknown): string {
  try {
    JSON.parse(String(body));
    return 'the body must be an object or a list';
  } catch {
    return 'the body is not valid JSON';
  }
}
