import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  Logger,
  NotFoundException,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { allowedMethods } from './allowed-methods';
import { MethodNotAllowed, RouteNotFound } from './catalogue';
import { type AppError, SeveralErrors } from './define-error';
import { type AppErrors, toAppErrors, toEntry } from './to-app-errors';

const INTERNAL = 500;

/** The one place where a thrown thing becomes an answer. */
@Catch()
export class ErrorsFilter implements ExceptionFilter {
  private readonly logger = new Logger('Errors');

  catch(thrown: unknown, host: ArgumentsHost): void {
    const kind: string = host.getType();
    // GraphQL gathers errors itself and shapes them by the same mapping.
    if (kind !== 'http') throw this.rethrown(thrown);
    const context = host.switchToHttp();
    const request = context.getRequest<Request>();
    const errors = this.logged(asAppErrors(thrown, request), `${request.method} ${request.path}`);
    answerWith(context.getResponse<Response>(), errors);
  }

  /** Logs what is our own fault, with its cause; the caller learns nothing of it. */
  logged(errors: AppErrors, where: string): AppErrors {
    for (const error of errors) {
      // Who is asked to come again later has met a bound, not a fault.
      if (error.status >= INTERNAL && !error.headers['Retry-After'])
        this.logger.error(`${where}: ${error.message}`, causeOf(error));
    }
    return errors;
  }

  private rethrown(thrown: unknown): Error {
    const errors = this.logged(toAppErrors(thrown), 'GraphQL');
    return errors.length === 1 ? errors[0] : new SeveralErrors(errors);
  }
}

/** Nest says «not found» where no route takes the request; that may be for its method alone. */
function asAppErrors(thrown: unknown, request: Request): AppErrors {
  if (!(thrown instanceof NotFoundException)) return toAppErrors(thrown);
  const allowed = allowedMethods(request).filter((method) => method !== request.method);
  if (allowed.length > 0) return [new MethodNotAllowed({ allowed })];
  return [new RouteNotFound({ path: request.path })];
}

/** Half an answer is cut off. */
export function answerWith(response: Response, errors: AppErrors): void {
  if (response.headersSent || response.destroyed) {
    // Half an answer must not look like a whole one.
    response.destroy();
    return;
  }
  for (const { headers } of errors) response.set(headers);
  response.status(errors[0].status).json({ errors: errors.map(toEntry) });
}

/** Stacks alone, down the chain: the properties of a driver's error hold the values of the statement. */
function causeOf(error: AppError): string {
  const stacks: string[] = [];
  let cause: unknown = error.cause ?? error;
  while (cause instanceof Error) {
    stacks.push(cause.stack ?? cause.message);
    cause = cause.cause;
  }
  return stacks.length === 0 ? `thrown: ${typeof error.cause}` : stacks.join('\ncaused by ');
}
