import type { TestApp } from './start-test-app';

export interface Reply {
  status: number;
  headers: Headers;
  /** The parsed body; undefined where there is none. */
  body: unknown;
  /** `data` of the body. */
  data: Record<string, unknown>;
  /** The codes of the errors, in their order. */
  codes: string[];
  text: string;
}

export interface Tokens {
  access_token: string;
  refresh_token: string;
  expires: number;
}

/** Sends requests in somebody's name: whatever is given as `body` goes out as JSON. */
export interface TestClient {
  send(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Reply>;
  get(path: string): Promise<Reply>;
  post(path: string, body?: unknown): Promise<Reply>;
  patch(path: string, body?: unknown): Promise<Reply>;
  delete(path: string, body?: unknown): Promise<Reply>;
}

/** @param token an access token; none: nobody */
export function as({ url }: Pick<TestApp, 'url'>, token?: string): TestClient {
  const send: TestClient['send'] = async (method, path, body, headers) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return replyOf(response);
  };
  return {
    send,
    get: (path) => send('GET', path),
    post: (path, body) => send('POST', path, body),
    patch: (path, body) => send('PATCH', path, body),
    delete: (path, body) => send('DELETE', path, body),
  };
}

export async function replyOf(response: Response): Promise<Reply> {
  const text = await response.text();
  const body = parse(text);
  const { data = {}, errors = [] } = (body ?? {}) as {
    data?: Record<string, unknown>;
    errors?: { extensions: { code: string } }[];
  };
  const codes = errors.map(({ extensions }) => extensions.code);
  return { status: response.status, headers: response.headers, body, data, codes, text };
}

function parse(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Signs in; fails the test if that fails. */
export async function signIn(
  app: Pick<TestApp, 'url'>,
  { email, password }: { email: string; password: string },
): Promise<Tokens> {
  const reply = await as(app).post('/auth/login', { email, password });
  if (reply.status !== 200) throw new Error(`${email} cannot sign in: ${reply.text}`);
  return reply.data as unknown as Tokens;
}
