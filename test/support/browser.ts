import { type Reply, replyOf } from './clients';
import type { TestApp } from './start-test-app';

/** The attributes of a `Set-Cookie`, with names in lower case. */
export type Attributes = Readonly<Record<string, string | true>>;

/** Stores the cookies that it receives and sends them back, only to the same service, like a browser. */
export class Browser {
  readonly cookies = new Map<string, string>();
  /** The attributes of the cookies set by the last answer, including deleted ones. */
  readonly attributes = new Map<string, Attributes>();

  constructor(private readonly app: Pick<TestApp, 'url'>) {}

  /** Replaces the global `fetch`. */
  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const headers = new Headers(init?.headers);
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    if (cookie !== '') headers.set('cookie', cookie);
    const response = await globalThis.fetch(input, { ...init, headers });
    this.attributes.clear();
    for (const line of response.headers.getSetCookie()) this.keep(line);
    return response;
  };

  /** Sends `body` as JSON, unless it is already text. */
  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply> {
    const response = await this.fetch(this.app.url + path, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return replyOf(response);
  }

  private keep(line: string): void {
    const [[name = '', value = ''] = [], ...attributes] = line
      .split('; ')
      .map((part) => part.split(/=(.*)/s));
    const read = attributes.map(([key = '', text]) => [key.toLowerCase(), text ?? true] as const);
    const all: Attributes = Object.fromEntries(read);
    this.attributes.set(name, all);
    const expires = typeof all['expires'] === 'string' ? Date.parse(all['expires']) : Infinity;
    if (expires <= Date.now()) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}
