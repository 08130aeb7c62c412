import { ADMINISTRATOR, ARTICLES, MEMBER, READER, USERS } from '../bench-data';
import type { Line } from '../line';
import { post } from '../request';

const RULE_FIELDS = 'id collection action permissions validation presets fields';
const ARTICLE_FIELDS = 'id title body status qty price date_created';

interface Asked extends Pick<Line, 'setup' | 'target' | 'beside'> {
  readonly caller: string;
  readonly query: string;
  readonly path?: string;
}

/** The same work over GraphQL. */
const graphqlLine = (
  name: string,
  work: string,
  { caller, query, path, ...more }: Asked,
): Line => ({
  ...{ name, ...more },
  work: `GraphQL ${work}`,
  data: 'as by REST',
  requests: async (api) => [post(path ?? '/graphql/system', { query }, await api.bearer(caller))],
});

export const GRAPHQL_LINES: readonly Line[] = [
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
    target: 0.35,
    query: '{ users(limit: 25) { id email first_name last_name status } }',
    setup: (data) => data.users(USERS),
  }),
  graphqlLine('graphql-item', 'articles_by_id, row filter', {
    caller: READER,
    path: '/graphql',
    target: 0.35,
    query: `{ articles_by_id(id: 4321) { ${ARTICLE_FIELDS} } }`,
    setup: (data) => data.articles(ARTICLES),
  }),
  graphqlLine('graphql-list', 'articles, 25 of them, row filter', {
    caller: READER,
    path: '/graphql',
    query: `{ articles(limit: 25) { ${ARTICLE_FIELDS} } }`,
    setup: (data) => data.articles(ARTICLES),
    beside: { peer: 'apollo', most: 1.15 },
  }),
];
