import { ADMINISTRATOR, ARTICLES, ownArticle, POLICIES, READER } from '../bench-data';
import { insertArticles, updateOwn } from '../floors';
import type { Beside, Line } from '../line';
import { patch, post } from '../request';

const WRITES: Beside = { peer: 'by-hand', most: 2.5, varies: ['id', 'date_created'] };
const MANY = 1_000;

const NEW_RULE = {
  policy: POLICIES.filler,
  collection: 'service_users',
  action: 'read',
  permissions: { status: { _eq: 'active' } },
  fields: ['id', 'email', 'first_name'],
};

const newArticle = (n: number) => ({
  title: `New article ${n}`,
  body: 'word '.repeat(40),
  status: 'published',
  qty: n,
  price: '12.50',
});

const newArticles = Array.from({ length: MANY }, (_, n) => newArticle(n));

/** Writes of rows, each with its entry in the log. */
export const WRITING_LINES: readonly Line[] = [
  {
    name: 'create',
    work: 'POST /permissions (one)',
    data: '1,000 rules and on',
    target: 0.6,
    setup: (data) => data.rules(1_000),
    requests: async (api) => [post('/permissions', NEW_RULE, await api.bearer(ADMINISTRATOR))],
  },
  {
    name: 'update',
    work: 'PATCH /items/articles/{id}, one field, row filter',
    data: '100,000 items',
    target: 0.4,
    setup: (data) => data.articles(ARTICLES),
    // Each connection has its own item, so that none waits for another's lock.
    requests: async (api, connections) => {
      const headers = await api.bearer(READER);
      return Array.from({ length: connections }, (_, at) =>
        patch(`/items/articles/${ownArticle(at)}`, { qty: 1 }, headers),
      );
    },
    // Another value each time, since an update without changes is not logged.
    next: (answer) =>
      JSON.stringify({ qty: (JSON.parse(answer) as { data: { qty: number } }).data.qty + 1 }),
    floor: updateOwn,
    beside: WRITES,
  },
  {
    name: 'create-item',
    work: 'POST /items/articles (one)',
    data: '100,000 items and on',
    setup: (data) => data.articles(ARTICLES),
    requests: async (api) => [post('/items/articles', newArticle(1), await api.bearer(READER))],
    floor: insertArticles([newArticle(1)]),
    beside: WRITES,
  },
  {
    name: 'create-1000',
    work: 'POST /items/articles, 1,000 at once',
    data: '100,000 items and on',
    target: 0.3,
    setup: (data) => data.articles(ARTICLES),
    requests: async (api) => [post('/items/articles', newArticles, await api.bearer(READER))],
    floor: insertArticles(newArticles),
    each: 2,
  },
];
