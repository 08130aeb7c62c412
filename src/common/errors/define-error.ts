export type Headers = Readonly<Record<string, string>>;

/** Any error that a caller may see. What is not one of these is answered as an internal error, without a word. */
export abstract class AppError extends Error {
  abstract readonly code: string;
  abstract readonly status: number;
  /** Public: sent with the code. */
  abstract readonly details: object;
  readonly headers: Headers = {};
}

export interface ErrorClass<D extends object> {
  new (details: D, options?: ErrorOptions): AppError & { readonly details: D };
  readonly code: string;
  readonly status: number;
}

/**
 * Declares code, status and message of an error in one place; nothing else picks a status. `details` are public, and
 * the message is made from them alone; the `cause` is for the log.
 */
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

    constructor(
      readonly details: D,
      options?: ErrorOptions,
    ) {
      super(typeof message === 'string' ? message : message(details), options);
      this.headers = headersOf(details);
    }
  };
}

/** Several faults answered together, one entry each. The first decides the status. */
export class SeveralErrors extends Error {
  constructor(readonly errors: readonly [AppError, ...AppError[]]) {
    super(errors.map((error) => error.message).join(' '));
  }
}

/** Throws all the faults there are, if there are any. */
export function throwIfAny(errors: readonly AppError[]): void {
  const [first, ...rest] = errors;
  if (first === undefined) return;
  throw rest.length === 0 ? first : new SeveralErrors([first, ...rest]);
}
