import { STATUS_CODES } from 'node:http';
import { type HttpException, HttpStatus } from '@nestjs/common';
import { InternalServerError, ServiceUnavailable } from './catalogue';
import { AppError, type AppErrors, severalOf } from './define-error';

const LAST = 599;

const CODE = /^[A-Za-z]\w{0,99}$/;
const INVALID = 'INVALID_PAYLOAD';
/** Characters. */
const MAX_MESSAGE = 1_000;
const MAX_DETAILS = 10_000;

/** Properties that Nest puts into the body of its own exceptions, and those that our entries set themselves. */
const RESERVED = new Set(['statusCode', 'error', 'errorCode', 'message', 'code', 'request_id']);

/** A team's exception: the caller sees its status, message and code. */
class Thrown extends AppError {
  override readonly name = 'Thrown';

  constructor(
    readonly code: string,
    readonly status: number,
    message: string,
    readonly details: object,
    cause?: unknown,
  ) {
    super(message.slice(0, MAX_MESSAGE), { cause }, true);
  }
}

/** A fault declared by a team: the log gets its message, the caller only its code. */
export function muted(error: AppError): AppError {
  const { code, status } = error;
  return new Thrown(code, status, mutedFault(status, error).message, {}, error);
}

/** @param status 500 or more: the caller sees no further details */
function mutedFault(status: number, cause: unknown): AppError {
  if (status === HttpStatus.SERVICE_UNAVAILABLE) return new ServiceUnavailable({}, { cause });
  if (status === HttpStatus.INTERNAL_SERVER_ERROR) return new InternalServerError({}, { cause });
  return new Thrown(codeOf(status), status, `${textOf(status)}.`, {}, cause);
}

/**
 * Converts an error of the package http-errors, which states by `expose` whether the caller may see it.
 * @returns undefined for any other error
 */
export function fromHttpError(error: unknown): AppError | undefined {
  if (!(error instanceof Error)) return undefined;
  const { status, expose, code } = error as { status?: unknown; expose?: unknown; code?: unknown };
  if (!isErrorStatus(status) || typeof expose !== 'boolean') return undefined;
  if (status >= HttpStatus.INTERNAL_SERVER_ERROR) return mutedFault(status, error);
  if (!expose) return undefined;
  return new Thrown(isCode(code) ? code : codeOf(status), status, error.message, {});
}

/**
 * Converts an exception of Nest's, or a subclass, into what the caller sees. A list of messages, as a `ValidationPipe`
 * throws it, becomes one fault each. Any status of 500 or more is the thrower's own fault.
 */
export function fromException(exception: HttpException): AppErrors {
  const status: unknown = exception.getStatus();
  const options = { cause: exception };
  if (!isErrorStatus(status)) return [new InternalServerError({}, options)];
  if (status >= HttpStatus.INTERNAL_SERVER_ERROR) return [mutedFault(status, exception)];
  const body = bodyOf(exception);
  const given = codeIn(body, exception);
  const { message: sent } = body;
  if (Array.isArray(sent)) {
    const [first, ...others] = sent.map((message) => invalid(String(message), status, given));
    if (first) return severalOf([first, ...others]);
  }
  const message = typeof sent === 'string' ? sent : exception.message;
  const text = message === '' ? textOf(status) : message;
  return [new Thrown(given ?? codeOf(status), status, text, detailsOf(body))];
}

const isErrorStatus = (status: unknown): status is number =>
  Number.isInteger(status) && Number(status) >= HttpStatus.BAD_REQUEST && Number(status) <= LAST;

function bodyOf(exception: HttpException): Readonly<Record<string, unknown>> {
  const body = exception.getResponse();
  return typeof body === 'string' ? { message: body } : { ...body };
}

/** A code set by the team: in the body, as `errorCode`, or as a property of its class. */
function codeIn(body: Readonly<Record<string, unknown>>, exception: HttpException) {
  const { code } = exception as { code?: unknown };
  return [body['code'], body['errorCode'], exception.errorCode, code].find(isCode);
}

const isCode = (given: unknown): given is string => typeof given === 'string' && CODE.test(given);

const textOf = (status: number): string => STATUS_CODES[status] ?? `Error ${status}`;

/** `I'm a Teapot` → `IM_A_TEAPOT`. */
const codeOf = (status: number): string =>
  textOf(status)
    .replaceAll("'", '')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase();

/** Other properties of the body, as far as they can be sent. */
function detailsOf(body: Readonly<Record<string, unknown>>): object {
  const own = Object.entries(body).filter(([name]) => !RESERVED.has(name));
  if (own.length === 0) return {};
  try {
    const text = JSON.stringify(Object.fromEntries(own));
    return text.length > MAX_DETAILS ? {} : (JSON.parse(text) as object);
  } catch {
    return {};
  }
}

/** `address.street must be a string`, as class-validator words it. */
const OF_FIELD = /^(?:property |each value in |nested property )?([A-Za-z_$][\w$.]*) (.+)$/s;
/** How class-validator's messages continue after the field; those in a team's own wording may begin with any word. */
const CONSTRAINT =
  /^(?:must|should|has|is|are|contains?|can|cannot|does|do|needs?|may|doesn't|isn't|length)\b/;

function invalid(message: string, status: number, code = INVALID): Thrown {
  const [, field, reason] = OF_FIELD.exec(message) ?? [];
  const isOfField = field !== undefined && reason !== undefined && CONSTRAINT.test(reason);
  return new Thrown(code, status, message, isOfField ? { field, reason } : { reason: message });
}
