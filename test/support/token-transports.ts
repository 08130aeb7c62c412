import type { Reply, TestClient } from './clients';
import { asRestReply } from './rest-status';

type TokenSeen = Readonly<Record<string, unknown>>;

interface Listed {
  readonly reply: Reply;
  readonly tokens: readonly TokenSeen[];
}

interface Made {
  readonly reply: Reply;
  /** Undefined if it was refused. */
  readonly made: TokenSeen | undefined;
}

/** Creates, lists and ends static tokens, over REST or GraphQL. A refusal is in the reply's `codes`. */
export interface TokenTransport {
  readonly name: string;
  list(client: TestClient): Promise<Listed>;
  create(client: TestClient, input: object): Promise<Made>;
  endOne(client: TestClient, id: unknown): Promise<Reply>;
  endAllOf(client: TestClient, user: string): Promise<Reply>;
}

const rest: TokenTransport = {
  name: 'REST',
  list: async (client) => {
    const reply = await client.get('/users/me/tokens');
    const { data = [] } = (reply.body ?? {}) as { data?: TokenSeen[] };
    return { reply, tokens: data };
  },
  create: async (client, input) => {
    const reply = await client.post('/users/me/tokens', input);
    return { reply, made: reply.status === 200 ? reply.data : undefined };
  },
  endOne: (client, id) => client.delete(`/users/me/tokens/${encodeURIComponent(String(id))}`),
  endAllOf: (client, user) => client.delete(`/users/${user}/tokens`),
};

const FIELDS = 'id name policies created_at last_used expires_at';
const CREATE = `
  mutation ($name: String!, $policies: [ID!], $expires_at: Date, $current_password: String, $otp: String) {
    create_users_me_token(
      name: $name, policies: $policies, expires_at: $expires_at,
      current_password: $current_password, otp: $otp
    ) { ${FIELDS} token }
  }`;

const ask = async (client: TestClient, query: string, variables = {}): Promise<Reply> =>
  asRestReply(await client.post('/graphql/system', { query, variables }));

const graphql: TokenTransport = {
  name: 'GraphQL',
  list: async (client) => {
    const reply = await ask(client, `{ users_me_tokens { ${FIELDS} } }`);
    return { reply, tokens: ((reply.data ?? {})['users_me_tokens'] ?? []) as TokenSeen[] };
  },
  create: async (client, input) => {
    const reply = await ask(client, CREATE, input);
    const made = ((reply.data ?? {})['create_users_me_token'] ?? undefined) as
      TokenSeen | undefined;
    return { reply, made };
  },
  endOne: (client, id) =>
    ask(client, 'mutation ($id: ID!) { delete_users_me_token(id: $id) { id } }', { id }),
  endAllOf: (client, id) =>
    ask(client, 'mutation ($id: ID!) { delete_users_tokens(id: $id) }', { id }),
};

export const TOKEN_TRANSPORTS: readonly TokenTransport[] = [rest, graphql];
