import { RegistrationError } from '../schema';
import * as catalogue from './catalogue';
import { type AppError, defineError, type ErrorClass, type Headers } from './define-error';

const LOWEST = 400;
const HIGHEST = 599;

const ours = (): ReadonlySet<string> =>
  new Set(Object.values(catalogue).flatMap((each) => ('code' in each ? [each.code] : [])));

/** Whether the error is one of the service's own: teams cannot have its code. */
export const isOurs = ({ code }: AppError): boolean => ours().has(code);

/**
 * Declares an error class with its code, status and message. The details are public, and the message is built from them
 * alone; an error's `cause` is for the log. Of an error with status 500 or more the client gets only status and code,
 * unless its headers have `Retry-After`: then it is a limit and no fault, and is answered like those below 500.
 *
 *     const AlreadyPaid = defineError<{ number: string }>(
 *       'ALREADY_PAID', 409, ({ number }) => `Invoice ${number} is paid.`,
 *     );
 *     throw new AlreadyPaid({ number: 'A-1' });
 *     // 409 {"errors": [{"message": "Invoice A-1 is paid.", "extensions": {"number": "A-1", "code": "ALREADY_PAID"}}]}
 *
 * @param headersOf headers of the answer over REST
 * @throws RegistrationError for a code that the service has, which clients could not tell from yours, and for a status
 * that is not an error's
 */
export function defineTeamError<D extends object = object>(
  code: string,
  status: number,
  message: string | ((details: D) => string),
  headersOf?: (details: D) => Headers,
): ErrorClass<D> {
  if (ours().has(code)) {
    throw new RegistrationError(
      `defineError('${code}', …) uses a code of the service: choose another, or throw the service's own error.`,
    );
  }
  if (!Number.isInteger(status) || status < LOWEST || status > HIGHEST) {
    throw new RegistrationError(
      `defineError('${code}', ${status}, …) has a status that is not an error's: use one from ${LOWEST} to ${HIGHEST}.`,
    );
  }
  return defineError(code, status, message, headersOf);
}
