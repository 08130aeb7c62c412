/** How many faults one answer tells of; whoever has sent more can mend these first. */
const MAX_FAULTS = 10;
/** Characters of a name, or of what is said about one: a body may hold a name as long as itself. */
const MAX_TEXT = 250;
const INTERNAL = 500;

export type Headers = Readonly<Record<string, string>>;

/** Any error that a caller may see. What is not one of these is answered as an internal error, without a word. */
export abstract class AppError extends Error {
  abstract readonly code: string;
  abstract readonly status: number;
  /** Public: sent with the code. */
  abstract readonly details: object;
  readonly headers: Headers = {};

  /** @param told of the caller's making, and so never logged: to gather a stack is most of what an error costs */
  constructor(message: string, options?: ErrorOptions, told = false) {
    const { stackTraceLimit } = Error;
    if (told) Error.stackTraceLimit = 0;
    super(message, options);
    Error.stackTraceLimit = stackTraceLimit;
  }
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

    readonly details: D;

    constructor(given: D, options?: ErrorOptions) {
      const details = shortened(given);
      super(typeof message === 'string' ? message : message(details), options, status < INTERNAL);
      this.details = details;
      this.headers = headersOf(details);
    }
  };
}

/** What holds a name that somebody sent, or speaks of one. */
const NAMING = ['field', 'collection', 'path', 'reason'] as const;

function shortened<D extends object>(details: D): D {
  const known = details as Readonly<Record<string, unknown>>;
  const long = NAMING.filter((name) => lengthOf(known[name]) > MAX_TEXT);
  if (long.length === 0) return details;
  const cut = long.map((name) => [name, `${String(known[name]).slice(0, MAX_TEXT)}…`]);
  return { ...details, ...(Object.fromEntries(cut) as object) };
}

const lengthOf = (text: unknown): number => (typeof text === 'string' ? text.length : 0);

export type AppErrors = readonly [AppError, ...AppError[]];

/** Several faults answered together, one entry each, ten at the most. The first decides the status. */
export class SeveralErrors extends Error {
  readonly errors: readonly [AppError, ...AppError[]];

  constructor(given: readonly [AppError, ...AppError[]]) {
    const errors = severalOf(given);
    super(errors.map((error) => error.message).join(' '));
    this.errors = errors;
  }
}

/** As many as one answer tells of. */
export function severalOf([first, ...others]: readonly [AppError, ...AppError[]]) {
  return [first, ...others.slice(0, MAX_FAULTS - 1)] as const;
}

/** Throws the faults that there are, if there are any. */
export function throwIfAny(errors: readonly AppError[]): void {
  const [first, ...rest] = errors;
  if (first === undefined) return;
  throw rest.length === 0 ? first : new SeveralErrors([first, ...rest]);
}
