import { type ArgumentsHost, Catch, type ExceptionFilter, HttpStatus } from '@nestjs/common';
import type { Response } from 'express';
import { logFaults, pathOf, toAppErrors } from '../common/errors';
import { requestId } from '../common/request/request-id';
import { requestOf } from '../common/request/transport';

/** Any error of a registration, even our own, gets the same answer as success. Our own faults are logged. */
@Catch()
export class UniformAnswerFilter implements ExceptionFilter {
  catch(thrown: unknown, host: ArgumentsHost): unknown {
    const request = requestOf(host);
    const where = `${request.method} ${pathOf(request)}`;
    logFaults(toAppErrors(thrown), where, () => requestId(request));
    const kind: string = host.getType();
    if (kind !== 'http') return true;
    const response = host.switchToHttp().getResponse<Response>();
    if (!response.headersSent) response.status(HttpStatus.NO_CONTENT).end();
    return undefined;
  }
}
