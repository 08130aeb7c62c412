import { HttpStatus, Logger } from '@nestjs/common';
import { LogLine } from '../../config/log-line';
import { AppError, SeveralErrors } from './define-error';

/** An error may be its own cause. */
const MAX_CAUSES = 10;

const logger = new Logger('Errors');

/**
 * Whether it is our own fault, of which the caller sees no details. An error that asks the client to retry is a limit,
 * not a fault.
 */
export const isFault = ({ status, headers }: AppError): boolean =>
  status >= HttpStatus.INTERNAL_SERVER_ERROR && headers['Retry-After'] === undefined;

/** Whether it concerns the request or its sender. Any other failure reveals nothing about them. */
export const isClientError = (error: unknown): error is AppError | SeveralErrors =>
  error instanceof SeveralErrors ||
  (error instanceof AppError && error.status < HttpStatus.INTERNAL_SERVER_ERROR);

/** A cause for the log alone: why a request was refused, which the caller may not know. */
export class HiddenCause extends Error {
  override readonly name = 'HiddenCause';
}

/**
 * Logs our own faults with their causes, and hidden causes.
 * @param where what failed: `GET /items/invoices`
 * @param idOf gives the id of the request
 * @returns that id where a fault was logged under it: the answer has it
 */
export function logFaults(
  errors: readonly AppError[],
  where: string,
  idOf?: () => string,
): string | undefined {
  const hidden = errors.flatMap(({ cause }) => (cause instanceof HiddenCause ? [cause] : []));
  const faults = errors.filter(isFault);
  if (hidden.length === 0 && faults.length === 0) return undefined;
  const id = idOf?.();
  const named = id === undefined ? where : `${where} [${id}]`;
  const line = (text: string): LogLine => new LogLine(`${named}: ${text}`, { request_id: id });
  for (const { message } of hidden) logger.warn(line(message));
  for (const error of faults) logger.error(line(error.message), causeOf(error));
  return faults.length === 0 ? undefined : id;
}

/** Only the stacks of the causes: the properties of a driver's error hold the values of the statement. */
function causeOf(error: AppError): string {
  const stacks: string[] = [];
  let cause: unknown = error.cause ?? error;
  while (cause instanceof Error && stacks.length < MAX_CAUSES) {
    stacks.push(cause.stack ?? cause.message);
    cause = cause.cause;
  }
  return stacks.length === 0 ? `thrown: ${typeof error.cause}` : stacks.join('\ncaused by ');
}
