import { ADMINISTRATOR, MEMBER, PASSWORD, POLICIES, READER } from './bench-data';
import { comparePassword, rotateSessions } from './floors';
import type { Line } from './line';
import { post } from './request';

const RULE_FIELDS = 'id collection action permissions validation presets fields';

interface Asked {
  readonly caller: string;
  readonly query: string;
  readonly path?: string;
  readonly target?: number;
  readonly setup: Line['setup'];
}

/** The same work by the second door. */
const graphqlLine = (
  name: string,
  work: string,
  { caller, query, path, setup, target }: Asked,
): Line => ({
  ...{ name, setup, target },
  work: `GraphQL ${work}`,
  data: 'as by REST',
  requests: async (api) => [post(path ?? '/graphql/system', { query }, await api.bearer(caller))],
});

const nothing = async (): Promise<void> => {};

/** The table, a line an entry. The targets are those of the specification. */
export const LINES: readonly Line[] = [
  {
    name: 'ping',
    work: 'GET /server/ping',
    data: '–',
    target: 0.2,
    setup: nothing,
    requests: async () => [{ method: 'GET', path: '/server/ping' }],
  },
  {
    name: 'me',
    work: 'GET /permissions/me, 50 rules',
    data: '51 rules',
    target: 0.15,
    setup: (data) => data.rules(51),
    requests: async (api) => [await api.getAs(MEMBER, '/permissions/me')],
  },
  {
    name: 'me-10000',
    work: 'GET /permissions/me, 50 rules',
    data: '10,000 rules',
    target: 0.15,
    growth: { from: 'me', most: 1.2 },
    setup: (data) => data.rules(10_000),
    requests: async (api) => [await api.getAs(MEMBER, '/permissions/me')],
  },
  {
    name: 'permissions',
    work: 'GET /permissions?limit=25, administrator',
    data: '1,000 rules',
    target: 0.45,
    setup: (data) => data.rules(1_000),
    requests: async (api) => [await api.getAs(ADMINISTRATOR, '/permissions?limit=25')],
  },
  {
    name: 'users',
    work: 'GET /users?limit=25, row filter + field list',
    data: '100,000 users',
    target: 0.45,
    setup: (data) => data.users(100_000),
    requests: async (api) => [await api.getAs(READER, '/users?limit=25')],
  },
  {
    name: 'refresh',
    work: 'POST /auth/refresh',
    data: '–',
    target: 0.4,
    setup: nothing,
    requests: (api, connections) =>
      Promise.all(
        Array.from({ length: connections }, async () => {
          const { refresh_token } = await api.signIn(MEMBER);
          return post('/auth/refresh', { refresh_token });
        }),
      ),
    next: (answer) =>
      JSON.stringify({ refresh_token: /"refresh_token":"([^"]+)"/.exec(answer)?.[1] }),
    floor: rotateSessions,
  },
  {
    name: 'login',
    work: 'POST /auth/login, against bare bcrypt',
    data: '–',
    target: 0.9,
    setup: nothing,
    requests: async () => [post('/auth/login', { email: MEMBER, password: PASSWORD })],
    floor: comparePassword,
  },
  {
    name: 'create',
    work: 'POST /permissions (one)',
    data: '1,000 rules and on',
    target: 0.4,
    setup: (data) => data.rules(1_000),
    requests: async (api) => [post('/permissions', NEW_RULE, await api.bearer(ADMINISTRATOR))],
  },
  {
    name: 'item',
    work: 'GET /items/articles/{id}, row filter',
    data: '100,000 items',
    target: 0.45,
    setup: (data) => data.articles(100_000),
    requests: async (api) => [await api.getAs(READER, '/items/articles/4321')],
  },
  graphqlLine('graphql-me', 'permissions_me, 50 rules', {
    caller: MEMBER,
    query: '{ permissions_me }',
    setup: (data) => data.rules(51),
  }),
  graphqlLine('graphql-permissions', 'permissions, 25 of them, administrator', {
    caller: ADMINISTRATOR,
    query: `{ permissions(limit: 25) { ${RULE_FIELDS} } }`,
    setup: (data) => data.rules(1_000),
  }),
  graphqlLine('graphql-users', 'users, 25 of them, row filter + field list', {
    caller: READER,
    target: 0.25,
    query: '{ users(limit: 25) { id email first_name last_name status } }',
    setup: (data) => data.users(100_000),
  }),
  graphqlLine('graphql-item', 'articles_by_id, row filter', {
    caller: READER,
    path: '/graphql',
    target: 0.25,
    query: '{ articles_by_id(id: 4321) { id title body status qty price date_created } }',
    setup: (data) => data.articles(100_000),
  }),
];

const NEW_RULE = {
  policy: POLICIES.filler,
  collection: 'service_users',
  action: 'read',
  permissions: { status: { _eq: 'active' } },
  fields: ['id', 'email', 'first_name'],
};
