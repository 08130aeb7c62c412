import { type ArgumentsHost, Catch, type ExceptionFilter, HttpStatus } from '@nestjs/common';
import type { Response } from 'express';
import { logFaults, toAppErrors } from '../common/errors';

/** Any error of a registration, even our own, gets the same answer as success. Our own faults are logged. */
@Catch()
export class UniformAnswerFilter implements ExceptionFilter {
  catch(thrown: unknown, host: ArgumentsHost): unknown {
    logFaults(toAppErrors(thrown), 'Registration');
    const kind: string = host.getType();
    if (kind !== 'http') return true;
    const response = host.switchToHttp().getResponse<Response>();
    if (!response.headersSent) response.status(HttpStatus.NO_CONTENT).end();
    return undefined;
  }
}
