import type { Browser } from './browser';
import type { Reply, Tokens } from './clients';
import { asRestReply } from './rest-status';

type Body = Readonly<Record<string, unknown>>;

/** The result of signing in, refreshing or signing out, over REST or GraphQL. */
export interface AuthOutcome {
  /** The status of REST. */
  readonly status: number;
  readonly codes: readonly string[];
  /** The field that an error names. */
  readonly field: unknown;
  /** The tokens in the answer. */
  readonly tokens: Partial<Tokens>;
  readonly text: string;
}

/** A transport for these operations. A body is sent unchanged, valid or not. */
export interface AuthTransport {
  readonly name: string;
  run(
    browser: Browser,
    operation: AuthOperation,
    body: Body,
    headers?: Record<string, string>,
  ): Promise<AuthOutcome>;
}

export type SessionOperation = 'login' | 'refresh' | 'logout';
type AuthOperation = SessionOperation | 'password/request' | 'password/reset';

/** Operations whose answer has no data: 204, or true. */
const WITHOUT_DATA: readonly AuthOperation[] = ['logout', 'password/request', 'password/reset'];

const rest: AuthTransport = {
  name: 'REST',
  run: async (browser, operation, body, headers) => {
    const reply = await browser.send('POST', `/auth/${operation}`, body, headers);
    if (WITHOUT_DATA.includes(operation) && reply.codes.length === 0)
      expect(reply.status).toBe(204);
    return outcomeOf(reply, reply.data);
  },
};

const TYPES: Readonly<Record<string, string>> = {
  email: 'String!',
  password: 'String!',
  otp: 'String',
  refresh_token: 'String',
  mode: 'auth_mode',
  token: 'String!',
  reset_url: 'String',
};

const graphql: AuthTransport = {
  name: 'GraphQL',
  run: async (browser, operation, body, headers) => {
    const names = Object.keys(body);
    const declared = names.map((name) => `$${name}: ${TYPES[name] ?? 'String'}`).join(', ');
    const passed = names.map((name) => `${name}: $${name}`).join(', ');
    const field = `auth_${operation.replace('/', '_')}`;
    const hasNoData = WITHOUT_DATA.includes(operation);
    const selection = hasNoData ? '' : '{ access_token refresh_token expires }';
    const query =
      names.length === 0
        ? `mutation { ${field} ${selection} }`
        : `mutation (${declared}) { ${field}(${passed}) ${selection} }`;
    const sent = { query, variables: body };
    const reply = await browser.send('POST', '/graphql/system', sent, headers);
    const answer = (reply.body as { data?: Body } | undefined)?.data?.[field];
    if (hasNoData && reply.codes.length === 0) expect(answer).toBe(true);
    return outcomeOf(asRestReply(reply), typeof answer === 'object' ? answer : {});
  },
};

export const AUTH_TRANSPORTS: readonly AuthTransport[] = [rest, graphql];

/** GraphQL answers null for requested fields that have no value. */
function outcomeOf({ status, codes, body, text }: Reply, data: unknown): AuthOutcome {
  const { errors = [] } = (body ?? {}) as { errors?: { extensions: { field?: unknown } }[] };
  const tokens = Object.entries(data ?? {}).filter(([, value]) => value !== null);
  return {
    status,
    codes,
    text,
    field: errors[0]?.extensions.field,
    tokens: Object.fromEntries(tokens),
  };
}
