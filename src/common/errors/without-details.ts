import { AppError, type ErrorClass } from './define-error';
import { isOurs } from './define-team-error';

/** The message instead of one that a team's own error has made from details that are not shown. */
const UNEXPLAINED = 'The request was refused, for a reason that you may not see.';

class Unexplained extends AppError {
  readonly code: string;
  readonly status: number;
  readonly details = {};

  constructor({ code, status }: AppError, message: string, options: ErrorOptions) {
    super(message, options, true);
    this.code = code;
    this.status = status;
  }
}

/**
 * The same error, with nothing but its code and status, for a client who may not see what it names.
 * @param cause for the log
 */
export function withoutDetails(error: AppError, cause: Error): AppError {
  // The messages of a team may rely on their details, and their classes on what their constructors take.
  if (isOurs(error)) return new (error.constructor as ErrorClass<object>)({}, { cause });
  const isFixed = Object.keys(error.details).length === 0;
  return new Unexplained(error, isFixed ? error.message : UNEXPLAINED, { cause });
}
