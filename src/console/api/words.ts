import { ApiError, type Fault, SESSION_NOT_KEPT, UNREACHABLE } from './client';

const MINUTE = 60;
const WRONG = 'Something went wrong on our side. Try again in a moment.';

const WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    INVALID_CREDENTIALS: 'The e-mail or the password is wrong, or the account is not active.',
    INVALID_OTP: 'The code is wrong, has expired or was used already.',
    INVALID_TOKEN: 'This link is no longer valid. A link works once, and for one hour.',
    FORBIDDEN: 'The service does not accept this from this page. Reload the page.',
    ROUTE_NOT_FOUND: 'The service does not offer this.',
    INTERNAL_SERVER_ERROR: WRONG,
    [UNREACHABLE]: 'The service cannot be reached. Check your connection and try again.',
    [SESSION_NOT_KEPT]:
      'You are signed in, but the browser did not keep the session. Allow cookies for this site; it may have to be opened by https.',
  }),
);

type Worded = (label: string, valid: unknown) => string;

const isNeeded: Worded = (label) => `${label} is needed.`;
const doesNotExist: Worded = (label) => `${label} does not exist any more.`;

/** Texts about one field, by the type of a FAILED_VALIDATION or by error code. */
const FIELD_WORDS: ReadonlyMap<string, Worded> = new Map(
  Object.entries<Worded>({
    // About a password: no other field has such a rule.
    min_length: (_, valid) => `Use at least ${String(valid)} characters, not only spaces.`,
    max_bytes: (_, valid) =>
      `The password is too long: at most ${String(valid)} letters and digits, fewer with other characters.`,
    common: () => 'This password is among the most used ones. Choose another.',
    regex: (label) => `${label} does not follow the rules of this project.`,
    email: () => 'This is not an e-mail address.',
    required: isNeeded,
    NOT_NULL_VIOLATION: isNeeded,
    RECORD_NOT_UNIQUE: (label) => `${label} is taken: another user has it.`,
    VALUE_TOO_LONG: (label) => `${label} is too long.`,
    INVALID_FOREIGN_KEY: doesNotExist,
    FORBIDDEN: (label) => `${label} is not yours to set.`,
  }),
);

/** Any error as a sentence for the user. */
export function inWords(error: unknown): string {
  if (!(error instanceof ApiError)) return WRONG;
  const { code, fault } = error;
  if (code === 'REQUESTS_EXCEEDED') return `Too many attempts. Try again ${waitOf(fault)}.`;
  if (code === 'SERVICE_UNAVAILABLE') {
    return `The service is too busy or under repair. Try again ${waitOf(fault)}.`;
  }
  return WORDS.get(code) ?? fault.message ?? WRONG;
}

/** The same for a refusal to a signed-in user: the service's message says what is not allowed. */
export function refusalInWords(error: unknown): string {
  const isRefusal = error instanceof ApiError && error.code === 'FORBIDDEN';
  return (isRefusal ? error.fault.message : undefined) ?? inWords(error);
}

/**
 * What is wrong with one field, as a sentence; undefined if the error concerns something else.
 * @param label how the sentence begins: `The password`
 */
export function faultOf(error: unknown, field: string, label: string): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const found = [error, ...error.others].find(({ fault }) => fault.field === field);
  if (!found) return undefined;
  const { type, valid, reason, message } = found.fault;
  const worded = FIELD_WORDS.get(type ?? found.code);
  if (worded !== undefined) return worded(label, valid);
  return reason === undefined ? message : `${label} ${reason}.`;
}

function waitOf({ retryAfter }: Fault): string {
  if (retryAfter === undefined) return 'in a moment';
  const seconds = Math.max(1, Math.ceil(retryAfter));
  if (seconds === 1) return 'in a second';
  if (seconds < 2 * MINUTE) return `in ${seconds} seconds`;
  return `in ${Math.ceil(retryAfter / MINUTE)} minutes`;
}
