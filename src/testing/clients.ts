/** What the service answered. `T` is what the test expects `data` to be. */
export interface Reply<T = Record<string, unknown>> {
  status: number;
  headers: Headers;
  /** The parsed body; undefined where there is none. */
  body: unknown;
  /** `data` of the body. */
  data: T;
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
  send<T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Reply<T>>;
  get<T = Record<string, unknown>>(path: string): Promise<Reply<T>>;
  post<T = Record<string, unknown>>(path: string, body?: unknown): Promise<Reply<T>>;
  patch<T = Record<string, unknown>>(path: string, body?: unknown): Promise<Reply<T>>;
  delete<T = Record<string, unknown>>(path: string, body?: unknown): Promise<Reply<T>>;
  /**
   * @param endpoint `/graphql` for a team's collections, `/graphql/system` for the service's own
   */
  graphql<T = Record<string, unknown>>(
    document: string,
    variables?: object,
    endpoint?: string,
  ): Promise<Reply<T>>;
}

/** Where the service is. */
export interface Place {
  /** `http://127.0.0.1:port`, without a slash at the end. */
  readonly url: string;
}

/** @param token an access token; none: nobody */
export const as = ({ url }: Place, token?: string): TestClient =>
  clientWith(url, () => Promise.resolve(token));

/**
 * Somebody who signs in now, and again when the time of their token is over: a test that moves the clock goes on.
 * @throws Error where they cannot sign in
 */
export async function signedIn(app: Place, credentials: Credentials): Promise<TestClient> {
  let tokens = await signIn(app, credentials);
  let end = Date.now() + tokens.expires;
  return clientWith(app.url, async () => {
    if (Date.now() < end) return tokens.access_token;
    tokens = await signIn(app, credentials);
    end = Date.now() + tokens.expires;
    return tokens.access_token;
  });
}

/** @param tokenOf asked before each request */
function clientWith(url: string, tokenOf: () => Promise<string | undefined>): TestClient {
  const send: TestClient['send'] = async <T>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => {
    const token = await tokenOf();
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return replyOf<T>(response);
  };
  return {
    send,
    get: (path) => send('GET', path),
    post: (path, body) => send('POST', path, body),
    patch: (path, body) => send('PATCH', path, body),
    delete: (path, body) => send('DELETE', path, body),
    graphql: (query, variables = {}, endpoint = '/graphql') =>
      send('POST', endpoint, { query, variables }),
  };
}

export async function replyOf<T = Record<string, unknown>>(response: Response): Promise<Reply<T>> {
  const text = await response.text();
  const body = parse(text);
  const { data = {}, errors = [] } = (body ?? {}) as {
    data?: unknown;
    errors?: { extensions: { code: string } }[];
  };
  const codes = errors.map(({ extensions }) => extensions.code);
  return { status: response.status, headers: response.headers, body, data: data as T, codes, text };
}

function parse(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** @throws Error where they cannot sign in */
export async function signIn(app: Place, { email, password }: Credentials): Promise<Tokens> {
  const reply = await as(app).post('/auth/login', { email, password });
  if (reply.status !== 200) throw new Error(`${email} cannot sign in: ${reply.text}`);
  return reply.data as unknown as Tokens;
}
