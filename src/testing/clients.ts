/** An answer of the service. `T` is the type that the test expects of `data`; it is not checked. */
export interface Reply<T = Record<string, unknown>> {
  /** The HTTP status code. */
  status: number;
  headers: Headers;
  /** The parsed body; undefined where there is none. */
  body: unknown;
  /** `data` of the body; `{}` where there is none. */
  data: T;
  /** The codes of the errors, in their order: `['FORBIDDEN']`; an empty text for an error without one. */
  codes: string[];
  /** The body as it was sent. */
  text: string;
}

/** What `POST /auth/login` answers. */
export interface Tokens {
  access_token: string;
  refresh_token: string;
  /** Milliseconds until the access token expires. */
  expires: number;
}

/**
 * Sends requests as one user, or signed out. Paths begin with a slash; a `body` is sent as JSON. An error of the
 * service is a `Reply` too: its methods reject only where there is no answer, or where the user cannot sign in again.
 */
export interface TestClient {
  /** Any method, and headers over the client's own: `send('SEARCH', '/items/invoices', { query: {} })`. */
  send<T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Reply<T>>;
  /** `get('/items/invoices?fields=number')`. */
  get<T = Record<string, unknown>>(path: string): Promise<Reply<T>>;
  /** `post('/items/invoices', { number: 'A-1' })`. */
  post<T = Record<string, unknown>>(path: string, body?: unknown): Promise<Reply<T>>;
  /** `patch('/items/invoices/7', { number: 'A-2' })`. */
  patch<T = Record<string, unknown>>(path: string, body?: unknown): Promise<Reply<T>>;
  /** `delete('/items/invoices/7')`, or several by `delete('/items/invoices', [7, 8])`. */
  delete<T = Record<string, unknown>>(path: string, body?: unknown): Promise<Reply<T>>;
  /**
   * Sends a GraphQL document: `graphql('query ($id: ID!) { invoices_by_id(id: $id) { number } }', { id: 7 })`.
   * @param endpoint `/graphql` for a team's collections, `/graphql/system` for the service's own
   */
  graphql<T = Record<string, unknown>>(
    document: string,
    variables?: object,
    endpoint?: string,
  ): Promise<Reply<T>>;
}

/** The address of a running service; a `TestApp` is one. */
export interface BaseUrl {
  /** `http://127.0.0.1:port`, without a slash at the end. */
  readonly url: string;
}

/**
 * A client for one access token.
 * @param token without it, requests are sent signed out
 */
export const as = ({ url }: BaseUrl, token?: string): TestClient =>
  clientWith(url, () => Promise.resolve(token));

/**
 * Signs a user in and gives their client. It signs in again whenever the access token has expired, so that a test may
 * move the clock.
 * @throws Error where the sign-in is refused
 */
export async function signedIn(app: BaseUrl, credentials: Credentials): Promise<TestClient> {
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
  const { data = {}, errors } = (body ?? {}) as { data?: unknown; errors?: unknown };
  const codes = Array.isArray(errors) ? errors.map(codeOf) : [];
  return { status: response.status, headers: response.headers, body, data: data as T, codes, text };
}

/** The routes and GraphQL endpoints of a team may answer errors in any shape. */
function codeOf(error: unknown): string {
  const { extensions } = (error ?? {}) as { extensions?: { code?: unknown } | null };
  return typeof extensions?.code === 'string' ? extensions.code : '';
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

/**
 * Signs a user in by e-mail address and password.
 * @throws Error where the sign-in is refused
 */
export async function signIn(app: BaseUrl, { email, password }: Credentials): Promise<Tokens> {
  const reply = await as(app).post('/auth/login', { email, password });
  if (reply.status !== 200) throw new Error(`${email} cannot sign in: ${reply.text}`);
  return reply.data as unknown as Tokens;
}
