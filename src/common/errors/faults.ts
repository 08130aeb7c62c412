import { Logger } from '@nestjs/common';
import type { AppError } from './define-error';

const INTERNAL = 500;
/** An error may be its own cause. */
const MAX_CAUSES = 10;

const logger = new Logger('Errors');

/** Whether it is our own, of which the caller learns nothing. Who is asked to come again has met a bound, not a fault. */
export const isFault = ({ status, headers }: AppError): boolean =>
  status >= INTERNAL && headers['Retry-After'] === undefined;

/**
 * Logs what is our own fault, with its cause.
 * @param where what failed: `GET /items/invoices`
 * @param id the request's, which the answer bears
 */
export function logFaults(errors: readonly AppError[], where: string, id?: string): void {
  for (const error of errors.filter(isFault)) {
    const named = id === undefined ? where : `${where} [${id}]`;
    logger.error(`${named}: ${error.message}`, causeOf(error));
  }
}

/** Stacks alone, down the chain: the properties of a driver's error hold the values of the statement. */
function causeOf(error: AppError): string {
  const stacks: string[] = [];
  let cause: unknown = error.cause ?? error;
  while (cause instanceof Error && stacks.length < MAX_CAUSES) {
    stacks.push(cause.stack ?? cause.message);
    cause = cause.cause;
  }
  return stacks.length === 0 ? `thrown: ${typeof error.cause}` : stacks.join('\ncaused by ');
}
