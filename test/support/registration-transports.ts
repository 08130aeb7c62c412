import type { Reply, TestClient } from './clients';
import { asRestReply } from './rest-status';

type Body = Readonly<Record<string, unknown>>;

type RegistrationOperation = 'register' | 'resend' | 'verify' | 'invite' | 'accept';

/** The result of an operation, over REST or GraphQL. */
interface RegistrationOutcome {
  readonly status: number;
  readonly codes: readonly string[];
  /** The field that an error names. */
  readonly field: unknown;
  /** For a verification: `id` and `status`. */
  readonly data: Body | null;
  readonly text: string;
}

/** A transport for registration and invitation. A body is sent unchanged, valid or not. */
interface RegistrationTransport {
  readonly name: string;
  run(
    client: TestClient,
    operation: RegistrationOperation,
    body: Body,
  ): Promise<RegistrationOutcome>;
}

const PATHS = {
  register: '/register',
  resend: '/users/register/resend',
  invite: '/users/invite',
  accept: '/users/invite/accept',
} as const;

const rest: RegistrationTransport = {
  name: 'REST',
  run: async (client, operation, body) => {
    if (operation === 'verify') {
      const query = new URLSearchParams(body as Record<string, string>).toString();
      const reply = await client.get(`/users/register/verify-email?${query}`);
      return outcomeOf(reply, reply.codes.length === 0 ? reply.data : null);
    }
    const reply = await client.post(PATHS[operation], body);
    if (reply.codes.length === 0) expect([reply.status, reply.text]).toEqual([204, '']);
    return outcomeOf(reply, null);
  },
};

const FIELDS = {
  register: 'users_register',
  resend: 'users_register_resend',
  verify: 'users_register_verify',
  invite: 'users_invite',
  accept: 'users_invite_accept',
} as const;

const TYPES: Readonly<Record<string, string>> = {
  email: 'String!',
  password: 'String!',
  token: 'String!',
  role: 'String!',
  emails: '[String!]',
};

const graphql: RegistrationTransport = {
  name: 'GraphQL',
  run: async (client, operation, body) => {
    const { email, ...others } = body;
    const variables = Array.isArray(email) ? { ...others, emails: email } : body;
    const names = Object.keys(variables);
    const declared = names.map((name) => `$${name}: ${TYPES[name] ?? 'String'}`).join(', ');
    const passed = names.map((name) => `${name}: $${name}`).join(', ');
    const selection = operation === 'verify' ? '{ id status }' : '';
    const query = `mutation (${declared}) { ${FIELDS[operation]}(${passed}) ${selection} }`;
    const reply = await client.post('/graphql/system', { query, variables });
    const answer = (reply.body as { data?: Body } | undefined)?.data?.[FIELDS[operation]];
    if (reply.codes.length === 0 && operation !== 'verify') expect(answer).toBe(true);
    return outcomeOf(
      asRestReply(reply),
      operation === 'verify' ? ((answer ?? null) as Body | null) : null,
    );
  },
};

export const REGISTRATION_TRANSPORTS: readonly RegistrationTransport[] = [rest, graphql];

function outcomeOf({ status, codes, body, text }: Reply, data: Body | null): RegistrationOutcome {
  const { errors = [] } = (body ?? {}) as { errors?: { extensions: { field?: unknown } }[] };
  return { status, codes, field: errors[0]?.extensions.field, data, text };
}
