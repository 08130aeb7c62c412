import * as catalogue from '../../src/common/errors/catalogue';
import { CANARY, ROUNDED_NUMBER } from './odd';
import type { FuzzRequest } from './requests/request';
import type { FuzzReply } from './sender';

/** The status of each code, from the catalogue. */
const STATUSES = new Map(Object.values(catalogue).map(({ code, status }) => [code, status]));

/** SQL, stacks, paths and words of the database. No sent text contains them. */
const LEAKS = [
  /\b(SELECT|INSERT INTO|DELETE FROM|UPDATE)\b[^]*\b(FROM|VALUES|WHERE|SET)\b/,
  /syntax error at or near|relation "|operator does not exist|invalid input syntax|violates/,
  /invalid byte sequence|pg_|PGlite|QueryFailedError|TypeORM/,
  /node_modules|\/src\/|\.[jt]s:\d+|\n {4}at /,
  /Cannot read propert|is not a function|is not iterable|Maximum call stack/,
];

interface Entry {
  readonly message?: unknown;
  readonly extensions?: { readonly code?: unknown };
}

interface Body {
  readonly data?: unknown;
  readonly errors?: readonly Entry[];
}

/** @returns the fault of the answer, if any */
export function faultOf(request: FuzzRequest, reply: FuzzReply): string | undefined {
  const { status, text } = reply;
  if (status >= 500 || status < 200) return `status ${status}`;
  if (request.method === 'HEAD') return text === '' ? undefined : 'HEAD with a body';
  // The answer of Node, which the service does not see.
  if (status === 431 && text === '') return undefined;
  const body = bodyOf(reply);
  if (text.includes(ROUNDED_NUMBER)) return 'a number is rounded';
  if (status < 400) return faultOfIgnored(request) ?? faultOfSuccess(request, reply, body);
  return isPage(request, reply) ? undefined : faultOfRefusal(request, reply, body);
}

/** An unknown address below /admin shows a page that says so. */
const isPage = ({ path }: FuzzRequest, { status, type }: FuzzReply): boolean =>
  /^\/admin/i.test(path) && status === 404 && type.startsWith('text/html');

/** Whether the request may have changed something, which means that it was not refused. */
export function mayHaveChanged(request: FuzzRequest, reply: FuzzReply): boolean {
  if (!request.writes || reply.status >= 400) return false;
  const { errors = [], data } = bodyOf(reply) ?? {};
  if (errors.length === 0) return true;
  return Object.values(data ?? {}).some((value) => value !== null);
}

function bodyOf({ text, type }: FuzzReply): Body | undefined {
  if (!type.startsWith('application/json') && !type.startsWith('application/graphql'))
    return undefined;
  const body = parsed(text);
  return typeof body === 'object' && body !== null ? body : undefined;
}

/** The query of a write selects rows; it has no parameters for the answer. */
function faultOfIgnored({ method, path, body }: FuzzRequest): string | undefined {
  if ((method !== 'PATCH' && method !== 'DELETE') || !body || path.startsWith('/graphql')) return;
  const { query } = (parsed(body.toString()) ?? {}) as { query?: object | null };
  const named = Object.entries(query ?? {}).filter(
    ([name, value]) => SHOWING.includes(name) && !isEmpty(value),
  );
  return named.length > 0 ? `a write's query may name ${named.join(', ')}` : undefined;
}

const SHOWING = ['alias', 'deep', 'fields', 'meta', 'aggregate', 'groupBy'];

const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function faultOfSuccess(
  { path }: FuzzRequest,
  { status, text, type }: FuzzReply,
  body: Body | undefined,
): string | undefined {
  // A browser is redirected to a page.
  if (status === 303 && type.startsWith('text/html')) return undefined;
  if (status === 204 || (status === 200 && !type.includes('json'))) {
    return status === 204 && text !== '' ? '204 with a body' : undefined;
  }
  if (/^\/server\/specs\/oas/i.test(path) && body && 'openapi' in body) return undefined;
  if (!body || !('data' in body)) return 'success without data';
  if (!body.errors) return undefined;
  return (
    faultOfRepeats(path, JSON.stringify(body.errors)) ?? faultOfEntries(body.errors, undefined)
  );
}

function faultOfRefusal(
  { path }: FuzzRequest,
  { status, text }: FuzzReply,
  body: Body | undefined,
): string | undefined {
  if (!body || !Array.isArray(body.errors) || body.errors.length === 0)
    return 'a refusal without errors';
  return faultOfRepeats(path, text) ?? faultOfEntries(body.errors, status);
}

/** A refused password is answered with the pattern of the settings, which an earlier request may have set. */
const PASSWORD_PATTERN = /must match (?:[^"\\]|\\.)*/g;

/** The answer may repeat names. The text after an unencoded `&` in a value is a name too. */
function faultOfRepeats(path: string, text: string): string | undefined {
  const names = [...new URLSearchParams(path.split('?').slice(1).join('?')).keys()];
  if (names.some((name) => name.includes(CANARY))) return undefined;
  const told = text.replaceAll(PASSWORD_PATTERN, '');
  return told.includes(CANARY) ? 'a refusal repeats a value' : undefined;
}

function faultOfEntries(errors: readonly Entry[], status: number | undefined): string | undefined {
  for (const { message, extensions } of errors) {
    if (typeof message !== 'string' || message === '') return 'an error without a message';
    const known = STATUSES.get(String(extensions?.code));
    if (known === undefined) return `an unknown code: ${String(extensions?.code)}`;
    if (known >= 500) return `an internal error: ${message}`;
    const leak = LEAKS.find((pattern) =>
      pattern.test(JSON.stringify({ message, extensions }).replaceAll('\\n', '\n')),
    );
    if (leak) return `a message tells too much: ${String(leak)}`;
  }
  const first = STATUSES.get(String(errors[0]?.extensions?.code));
  return status === undefined || first === status ? undefined : `status ${status} for another code`;
}
