import { oddText } from '../odd';
import type { Random } from '../random';

/** One request, as it is sent. */
export interface FuzzRequest {
  /** The user whose token it has, unless its headers have another one; null: no token. */
  readonly caller: string | null;
  readonly method: string;
  /** Path and query string, escaped as far as HTTP requires. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
  /** Whether it may change something unless it is refused. */
  readonly writes: boolean;
}

/** Known values of users: their addresses, passwords and tokens, by the name of the body's member. */
export type Known = Readonly<Record<string, readonly string[]>>;

/** Below Node's limit for a request's head; beyond it, Node itself answers. */
export const MAX_PATH = 14_000;

/** %-escapes special characters, and half surrogate pairs as the bytes that they would have. */
export const escaped = (text: string): string =>
  text
    .slice(0, MAX_PATH)
    .replace(/[^\w.~-]/gu, (character) =>
      [...bytesOf(character)]
        .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
        .join(''),
    );

function bytesOf(character: string): Uint8Array {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0xd800 || code > 0xdfff) return Buffer.from(character);
  return Uint8Array.of(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f));
}

/** The text unescaped, except for characters that a request line cannot contain. */
export const barely = (text: string): string => text.replace(/[^\x21-\x7e]|[#?]/g, '+');

/** The text as far as a header can contain it. */
const headerText = (text: string): string =>
  text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '?').slice(0, 2_000);

const NO_TOKENS = [
  '',
  'Bearer',
  'Bearer ',
  'Bearer a.b.c',
  'Basic YTpi',
  'bearer eyJhbGciOiJub25lIn0.e30.',
];

/** Additional headers, mostly none. */
export function oddHeaders(random: Random, known: Known): Record<string, string> {
  const text = (): string => headerText(oddText(random));
  const token = (): string => random.pick(known['refresh_token'] ?? ['']);
  const makers: Readonly<Record<string, () => string>> = {
    authorization: () =>
      random.pick([...NO_TOKENS, `Bearer ${text()}`, text(), `Bearer ${token()}`, token()]),
    'content-type': () => random.pick([...TYPES, text()]),
    'content-encoding': () => random.pick(['gzip', 'br', 'deflate', 'identity', 'zstd', text()]),
    cookie: () =>
      random.pick([
        `service_session_token=${text()}`,
        `service_refresh_token=${token()}`,
        `service_session_token=${token()}; service_session_token=`,
        '=; ;;=a; %=%',
        text(),
      ]),
    accept: () => random.pick(['text/html', '*/*', 'application/xml;q=0.1', 'q=q', text()]),
    origin: () => random.pick(['https://evil.example', 'null', 'http://127.0.0.1', text()]),
    'sec-fetch-site': () => random.pick(['cross-site', 'same-origin', 'none', text()]),
    'x-forwarded-for': () => random.pick(['1.2.3.4', '::1, ::2', text()]),
    'user-agent': text,
    host: () => random.pick(['evil.example', 'localhost:0', '[::1]']),
    'if-none-match': () => random.pick(['*', '"x"']),
    range: () => random.pick(['bytes=0-1', 'bytes=-', text()]),
    'x-http-method-override': () => random.pick(['DELETE', 'GET', text()]),
    'apollo-require-preflight': text,
    prefer: text,
  };
  const names = random.some(Object.keys(makers), 3);
  return Object.fromEntries(names.map((name) => [name, makers[name]?.() ?? '']));
}

const TYPES = [
  'application/json; charset=utf-16',
  'application/json; charset=utf-7',
  'application/json; charset=none',
  'application/json;;;',
  'application/json; charset="',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/graphql',
  'application/jsonp',
  '',
];

/** The body, sometimes with invalid bytes or cut off. */
export function bodyOf(text: string, random: Random): Buffer {
  const body = Buffer.from(text);
  return random.way([
    [60, () => body],
    [1, () => body.subarray(0, random.int(body.length))],
    [1, () => Buffer.concat([body, Buffer.from([random.int(256), random.int(256)])])],
    [1, () => broken(body, random)],
    [1, () => Buffer.from(text, 'utf16le')],
    [1, () => Buffer.from(`${text.slice(0, -1)},"__proto__":{"admin":true}}`)],
  ]);
}

/** Replaces some bytes. */
function broken(body: Buffer, random: Random): Buffer {
  const copy = Buffer.from(body);
  for (let left = random.int(6); left >= 0; left--) copy[random.int(copy.length)] = random.int(256);
  return copy;
}
