import { beginningOf } from '../text-beginning';

/** How many faults one answer lists; the client can fix these first. */
export const MAX_FAULTS = 10;
/** Characters of a name, or of a reason with one: a name may be as long as the body. */
const MAX_TEXT = 250;
const INTERNAL = 500;

export type Headers = Readonly<Record<string, string>>;

/**
 * An error that is answered with its code, status and message, like those that `defineError` makes. Other errors that
 * are not Nest's exceptions are answered as internal errors (500), without their message.
 */
export abstract class AppError extends Error {
  /** `extensions.code` of the answer, such as `FORBIDDEN`. */
  abstract readonly code: string;
  /** The HTTP status of the answer. */
  abstract readonly status: number;
  /** Public: sent beside the code, in `extensions`. */
  abstract readonly details: object;
  /** Headers of the answer over REST, such as `Retry-After`. */
  readonly headers: Headers = {};

  /** @param isCallers a caller's fault, which is never logged: collecting the stack is most of an error's cost */
  constructor(message: string, options?: ErrorOptions, isCallers = false) {
    const { stackTraceLimit } = Error;
    if (isCallers) Error.stackTraceLimit = 0;
    super(message, options);
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** A class of errors, with the code and status of all of them; `D` are the details that each is thrown with. */
export interface ErrorClass<D extends object> {
  new (details: D, options?: ErrorOptions): AppError & { readonly details: D };
  readonly code: string;
  readonly status: number;
}

/** Of the service's own errors; teams have `defineTeamError`, which says what each argument is. */
export function defineError<D extends object = object>(
  code: string,
  status: number,
  message: string | ((details: D) => string),
  headersOf: (details: D) => Headers = () => ({}),
): ErrorClass<D> {
  return class extends AppError {
    static readonly code = code;
    static readonly status = status;
    override readonly name = code;
    readonly code = code;
    readonly status = status;
    override readonly headers: Headers;

    readonly details: D;

    constructor(given: D, options?: ErrorOptions) {
      const details = shortened(given);
      super(typeof message === 'string' ? message : message(details), options, status < INTERNAL);
      this.details = details;
      this.headers = headersOf(details);
    }
  };
}

/** Details that contain a client's text, or quote one. */
const NAMING = ['field', 'collection', 'path', 'reason'] as const;

function shortened<D extends object>(details: D): D {
  const known = details as Readonly<Record<string, unknown>>;
  const long = NAMING.filter((name) => lengthOf(known[name]) > MAX_TEXT);
  if (long.length === 0) return details;
  const cut = long.map((name) => [name, `${beginningOf(String(known[name]), MAX_TEXT)}…`]);
  return { ...details, ...(Object.fromEntries(cut) as object) };
}

const lengthOf = (text: unknown): number => (typeof text === 'string' ? text.length : 0);

/** At least one fault. */
export type AppErrors = readonly [AppError, ...AppError[]];

/** Several faults answered together, one entry each, ten at the most. The first decides the status. */
export class SeveralErrors extends Error {
  readonly errors: AppErrors;

  constructor(given: AppErrors) {
    const errors = severalOf(given);
    super(errors.map((error) => error.message).join(' '));
    this.errors = errors;
  }
}

/** As many faults as one answer lists. */
export function severalOf([first, ...others]: AppErrors): AppErrors {
  return [first, ...others.slice(0, MAX_FAULTS - 1)];
}

/** Throws the faults, if there are any. */
export function throwIfAny(errors: readonly AppError[]): void {
  const [first, ...rest] = errors;
  if (first === undefined) return;
  throw rest.length === 0 ? first : new SeveralErrors([first, ...rest]);
}
