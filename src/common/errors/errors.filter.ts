import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { REQUEST_ID_HEADER, requestId } from '../request/request-id';
import { allowedMethods, pathOf } from './allowed-methods';
import { MethodNotAllowed, RouteNotFound } from './catalogue';
import { type AppErrors, SeveralErrors } from './define-error';
import { isFault, logFaults } from './faults';
import { toAppErrors, toEntry } from './to-app-errors';
import { isUnserved } from './unserved';

/** The one place where thrown errors become answers. */
@Catch()
export class ErrorsFilter implements ExceptionFilter {
  catch(thrown: unknown, host: ArgumentsHost): unknown {
    const kind: string = host.getType();
    // GraphQL collects errors itself and converts them by the same mapping.
    if (kind !== 'http') throw this.rethrown(thrown, kind);
    const context = host.switchToHttp();
    const request = context.getRequest<Request>();
    const errors = isUnserved(request) ? noRouteFor(request) : toAppErrors(thrown);
    answerWith(context.getResponse<Response>(), errors);
    return undefined;
  }

  private rethrown(thrown: unknown, kind: string): Error {
    const errors = toAppErrors(thrown);
    // For GraphQL, the endpoint logs what it answers.
    if (kind !== 'graphql') logFaults(errors, kind);
    return errors.length === 1 ? errors[0] : new SeveralErrors(errors);
  }
}

/** Why no route takes the request: another method is required, or there is no route, or none in this version. */
export function noRouteFor(request: Request): AppErrors {
  const allowed = allowedMethods(request);
  if (allowed.length > 0 && !allowed.includes(request.method))
    return [new MethodNotAllowed({ allowed })];
  return [new RouteNotFound({ path: pathOf(request) })];
}

/** Logs our own faults; the answer has the id under which they are logged. A partly sent answer is cut off. */
export function answerWith(response: Response, errors: AppErrors): void {
  const { req: request } = response;
  const where = `${request.method} ${pathOf(request)}`;
  const id = logFaults(errors, where, () => requestId(request));
  if (response.headersSent || response.destroyed) {
    // A partial answer must not look complete.
    response.destroy();
    return;
  }
  for (const { headers } of errors) response.set(headers);
  // The route may have set one, of its own answer.
  response.statusMessage = '';
  if (id !== undefined) response.set(REQUEST_ID_HEADER, id);
  const entries = errors.map((error) => toEntry(error, isFault(error) ? id : undefined));
  // The route may have set another content type.
  response.status(errors[0].status).type('json').json({ errors: entries });
}
