import {
  applyDecorators,
  BadRequestException,
  type CallHandler,
  type ExecutionContext,
  mixin,
  type NestInterceptor,
  PayloadTooLargeException,
  SetMetadata,
  type Type,
  UseInterceptors,
} from '@nestjs/common';
import { AnyFilesInterceptor } from '@nestjs/platform-express';
import express, {
  type Express,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import type { Observable } from 'rxjs';
import { ContentTooLarge, InvalidPayload, fromExpress } from '../errors';
import { hasBody, deferBody, takeDeferredBody } from './bodies';
import { routesOf } from './routes';

/** The body of a route with `@AcceptsBody`: bytes, `application/x-www-form-urlencoded`, or `multipart/form-data`. */
export type BodyKind = 'raw' | 'form' | 'multipart';

const ACCEPTED_BODY = 'doorward:accepted-body';
const LIMIT = 512 * 1024;
/** Names of a form; parts of a multipart body. */
const MOST_NAMES = 1_000;
const MOST_FILES = 20;

const TYPES: Readonly<Record<BodyKind, RegExp>> = {
  raw: /^/,
  form: /^application\/x-www-form-urlencoded\s*(;|$)/i,
  multipart: /^multipart\/form-data\s*;/i,
};

const NAMES: Readonly<Record<BodyKind, string>> = {
  raw: 'any other type',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
};

interface AcceptedBody {
  /** The largest body, in bytes; 524,288 by default. */
  readonly limit?: number;
}

/**
 * Lets a route take another body than JSON; without it only JSON is read.
 *
 * - `form`: `@Body()` is an object of strings, or of lists of strings.
 * - `multipart`: fields are in `@Body()`, files in `@UploadedFiles()`, in memory, 20 at most. Content-Length is required.
 * - `raw`: any content type; `@Body()` is a Buffer of the bytes that were sent.
 *
 * The body is read after the guards. A session cookie counts only where Origin or Sec-Fetch-Site shows that no other
 * site's page has sent the request. A body that is too large, or has too many names or files, is answered with 413
 * (ContentTooLarge).
 *
 *     @Post('import')
 *     @AcceptsBody('multipart', { limit: 5_000_000 })
 *     @RequirePermission('create', 'invoices')
 */
export const AcceptsBody = (
  kind: BodyKind,
  { limit = LIMIT }: AcceptedBody = {},
): MethodDecorator => applyDecorators(SetMetadata(ACCEPTED_BODY, kind), ...readersOf(kind, limit));

function readersOf(kind: BodyKind, limit: number): MethodDecorator[] {
  switch (kind) {
    case 'raw':
      return [UseInterceptors(reading(express.raw({ limit, type: () => true })))];
    case 'form':
      return [
        UseInterceptors(
          reading(express.urlencoded({ limit, extended: false, parameterLimit: MOST_NAMES })),
        ),
      ];
    case 'multipart': {
      const limits = { fieldSize: limit, fileSize: limit, files: MOST_FILES, parts: MOST_NAMES };
      // Of the two interceptors, the first runs first.
      return [
        UseInterceptors(reading(measured(limit)), readingParts(AnyFilesInterceptor({ limits }))),
      ];
    }
  }
}

/** Defers the body to a route that accepts its type. */
export function deferAcceptedBody(request: Request, _response: Response, next: NextFunction): void {
  if (hasBody(request) && isAccepted(request)) deferBody(request);
  next();
}

function isAccepted(request: Request): boolean {
  const kind = acceptedKind(request);
  return kind !== undefined && TYPES[kind].test(request.headers['content-type'] ?? '');
}

function acceptedKind(request: Request): BodyKind | undefined {
  const routes = routesOf(request.app as Express);
  if (!routes.marked(ACCEPTED_BODY).some((route) => route.matches(request.path))) return undefined;
  const handler = routes.find(request.method, request.path)?.handler ?? {};
  return Reflect.getMetadata(ACCEPTED_BODY, handler) as BodyKind | undefined;
}

/** The media type that the route accepts beside JSON, if it accepts one. */
export function acceptedType(request: Request): string | undefined {
  const kind = acceptedKind(request);
  return kind && NAMES[kind];
}

/** Read after the guards: a caller without access is refused at once. */
function reading(read: RequestHandler): Type<NestInterceptor> {
  class BodyReader implements NestInterceptor {
    async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
      const [request, response] = context.getArgs<[Request, Response]>();
      if (takeDeferredBody(request)) await readBy(read, request, response);
      return next.handle();
    }
  }
  return mixin(BodyReader);
}

/** @throws AppError */
const readBy = (read: RequestHandler, request: Request, response: Response): Promise<void> =>
  new Promise((resolve, reject) => {
    void read(request, response, (error?: unknown) => {
      if (error === undefined) resolve();
      else reject(fromExpress(error)[0]);
    });
  });

/** The parser's own exceptions have codes and statuses unlike those of other bodies. */
function readingParts(Reader: Type<NestInterceptor>): Type<NestInterceptor> {
  class PartsReader extends Reader {
    override async intercept(
      context: ExecutionContext,
      next: CallHandler,
    ): Promise<Observable<unknown>> {
      try {
        return await super.intercept(context, next);
      } catch (error) {
        throw fromParser(error);
      }
    }
  }
  return mixin(PartsReader);
}

const TOO_MUCH: readonly unknown[] = [
  'LIMIT_FIELD_VALUE',
  'LIMIT_FILE_COUNT',
  'LIMIT_FILE_SIZE',
  'LIMIT_PART_COUNT',
];

function fromParser(error: unknown): unknown {
  if (!(error instanceof BadRequestException || error instanceof PayloadTooLargeException))
    return error;
  const { code } = (error.cause ?? {}) as { code?: unknown };
  if (TOO_MUCH.includes(code)) return new ContentTooLarge({}, { cause: error });
  const fault = error.message.replace(/^Multipart: /, '');
  return new InvalidPayload({ reason: `the form cannot be read: ${fault}` }, { cause: error });
}

/** Each part has its own limit; the total is limited by Content-Length. */
const measured =
  (limit: number): RequestHandler =>
  ({ headers }, _response, next) => {
    const length = headers['content-length'];
    if (length === undefined) {
      next(
        new InvalidPayload({ reason: 'a multipart body must declare its length (Content-Length)' }),
      );
    } else if (Number(length) > limit) next(new ContentTooLarge({}));
    else next();
  };
