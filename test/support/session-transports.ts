import type { Reply, TestClient } from './clients';
import { asRestReply } from './rest-status';

/** Lists and ends sessions, over REST or GraphQL. A refusal is in the reply's `codes`. */
interface SessionTransport {
  readonly name: string;
  list(client: TestClient): Promise<{ reply: Reply; sessions: readonly SessionSeen[] }>;
  endOne(client: TestClient, id: unknown): Promise<Reply>;
  endOthers(client: TestClient): Promise<Reply>;
  endAllOf(client: TestClient, user: string): Promise<Reply>;
}

type SessionSeen = Readonly<Record<string, unknown>>;

const rest: SessionTransport = {
  name: 'REST',
  list: async (client) => {
    const reply = await client.get('/users/me/sessions');
    const { data = [] } = (reply.body ?? {}) as { data?: SessionSeen[] };
    return { reply, sessions: data };
  },
  endOne: (client, id) => client.delete(`/users/me/sessions/${encodeURIComponent(String(id))}`),
  endOthers: (client) => client.delete('/users/me/sessions'),
  endAllOf: (client, user) => client.delete(`/users/${user}/sessions`),
};

const ask = async (client: TestClient, query: string, variables = {}): Promise<Reply> =>
  asRestReply(await client.post('/graphql/system', { query, variables }));

const graphql: SessionTransport = {
  name: 'GraphQL',
  list: async (client) => {
    const reply = await ask(
      client,
      '{ users_me_sessions { id device ip created_at last_seen expires_at current } }',
    );
    const sessions = (reply.data ?? {})['users_me_sessions'] ?? [];
    return { reply, sessions: sessions as SessionSeen[] };
  },
  endOne: (client, id) =>
    ask(client, 'mutation ($id: ID!) { delete_users_me_session(id: $id) { id } }', { id }),
  endOthers: (client) => ask(client, 'mutation { delete_users_me_sessions }'),
  endAllOf: (client, id) =>
    ask(client, 'mutation ($id: ID!) { delete_users_sessions(id: $id) }', { id }),
};

export const SESSION_TRANSPORTS: readonly SessionTransport[] = [rest, graphql];
