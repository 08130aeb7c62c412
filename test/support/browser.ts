import { type Reply, replyOf } from './clients';
import type { TestApp } from './start-test-app';

/** What a `Set-Cookie` said beside name and value, with names in lower case. */
export type Attributes = Readonly<Record<string, string | true>>;

/** Keeps the cookies that it is given and sends them along, as a browser does; it shows them to no one else. */
export class Browser {
  readonly cookies = new Map<string, string>();
  /** Of the cookies set by the last answer; of a deleted one as well. */
  readonly attributes = new Map<string, Attributes>();

  constructor(private readonly app: Pick<TestApp, 'url'>) {}

  /** In place of the global one. */
  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const headers = new Headers(init?.headers);
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    if (cookie !== '') headers.set('cookie', cookie);
    const response = await globalThis.fetch(input, { ...init, headers });
    this.attributes.clear();
    for (const line of response.headers.getSetCookie()) this.keep(line);
    return response;
  };

  /** Whatever is given as `body` goes out as JSON, unless it is text already. */
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
