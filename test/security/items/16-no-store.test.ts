import { HOST, type Reply, type TestClient } from '../../support';
import { openSampleWorld, type SampleWorld } from './sample-world';

let sample: SampleWorld;

beforeAll(async () => {
  sample = await openSampleWorld();
});

afterAll(() => sample.app.close());

type Send = (client: TestClient) => Promise<Reply>;

const graphql =
  (query: string): Send =>
  (client) =>
    client.post('/graphql', { query });
const raw =
  (path: string, init: RequestInit): Send =>
  async () => {
    const response = await fetch(sample.app.url + path, init);
    const { status, headers } = response;
    const text = await response.text();
    return { status, headers, text, body: undefined, data: {}, codes: [] };
  };
const JSON_TYPE = { 'content-type': 'application/json' };

type Answer = readonly [number, string, Send];

// In a team's own application the team decides what may be cached of its routes.
const ON_OUR_HOST: readonly Answer[] =
  HOST === 'own'
    ? [[200, 'a team’s own route', (client) => client.post('/articles/3/publish', {})]]
    : [];

/** Requests with the status of the answer to the administrator: none of the answers may be cached. */
const ANSWERS: readonly Answer[] = [
  [200, 'a list', (client) => client.get('/items/articles')],
  [
    200,
    'a list of fields',
    (client) => client.get('/items/articles?fields=secret,owner.email&meta=*'),
  ],
  [200, 'an empty list', (client) => client.get('/items/articles?filter[id][_eq]=999')],
  [200, 'aggregates', (client) => client.get('/items/articles?aggregate[count]=*')],
  [200, 'a search', (client) => client.send('SEARCH', '/items/articles', { query: {} })],
  [200, 'an item', (client) => client.get('/items/articles/1')],
  [200, 'a singleton', (client) => client.get('/items/site')],
  [200, 'collections', (client) => client.get('/collections')],
  [200, 'a collection', (client) => client.get('/collections/articles')],
  [200, 'fields', (client) => client.get('/fields')],
  [200, 'fields of a collection', (client) => client.get('/fields/articles')],
  [200, 'a field', (client) => client.get('/fields/articles/title')],
  [200, 'a head', (client) => client.send('HEAD', '/items/articles')],
  [200, 'a head of an item', (client) => client.send('HEAD', '/items/articles/1')],
  [200, 'a create', (client) => client.post('/items/articles', { title: 'x' })],
  [200, 'a create of many', (client) => client.post('/items/articles', [{ title: 'x' }])],
  [200, 'an update', (client) => client.patch('/items/articles/1', { title: 'x' })],
  [
    200,
    'an update of many',
    (client) => client.patch('/items/articles', { keys: [1], data: { title: 'x' } }),
  ],
  [200, 'an update of a singleton', (client) => client.patch('/items/site', { name: 'x' })],
  ...ON_OUR_HOST,
  [204, 'a deletion', (client) => client.delete('/items/articles/1')],
  [204, 'a deletion of many', (client) => client.delete('/items/articles', [1])],
  [200, 'GraphQL', graphql('{ articles { id secret owner { email } } }')],
  [200, 'GraphQL by id', graphql('{ articles_by_id(id: "1") { id } }')],
  [200, 'GraphQL groups', graphql('{ articles_aggregated { countAll } }')],
  [200, 'GraphQL without a collection', graphql('{ __typename }')],
  [
    200,
    'a create over GraphQL',
    graphql('mutation { create_articles_item(data: {title: "x"}) { id } }'),
  ],
  [200, 'a deletion over GraphQL', graphql('mutation { delete_articles_item(id: "1") { id } }')],
  [400, 'a bad query', (client) => client.get('/items/articles?limit=x')],
  [400, 'a bad query string', (client) => client.get(`/items/articles?a${'[b]'.repeat(40)}=1`)],
  [400, 'a bad payload', (client) => client.post('/items/articles', { title: 7 })],
  [
    400,
    'a bad foreign key',
    (client) => client.post('/items/articles', { title: 'x', category: 99 }),
  ],
  [400, 'a bad document', graphql('{ articles {')],
  [400, 'an unknown field', graphql('{ articles { nonsense } }')],
  [400, 'a bad body', raw('/items/articles', { method: 'POST', body: '{', headers: JSON_TYPE })],
  [401, 'a bad token', raw('/items/articles', { headers: { authorization: 'Bearer x.y.z' } })],
  [
    401,
    'a bad token for GraphQL',
    (client) =>
      client.send(
        'POST',
        '/graphql',
        { query: '{ articles { id } }' },
        { authorization: 'Bearer x.y.z' },
      ),
  ],
  [403, 'a missing item', (client) => client.get('/items/articles/999')],
  [403, 'a missing collection', (client) => client.get('/items/nonsense')],
  [403, 'HEAD of a missing item', (client) => client.send('HEAD', '/items/articles/999')],
  [200, 'a missing item for GraphQL', graphql('{ articles_by_id(id: "999") { id } }')],
  [404, 'a missing route', (client) => client.get('/items/articles/1/2')],
  [405, 'another method', (client) => client.send('PUT', '/items/articles', {})],
  [405, 'options', (client) => client.send('OPTIONS', '/items/articles')],
  [405, 'another method for GraphQL', (client) => client.send('DELETE', '/graphql', {})],
  [
    413,
    'a body too large',
    raw('/items/articles', {
      method: 'POST',
      body: `"${'x'.repeat(600_000)}"`,
      headers: JSON_TYPE,
    }),
  ],
  [
    415,
    'a form',
    raw('/items/articles', {
      method: 'POST',
      body: 'title=x',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }),
  ],
];

const expectUnkept = ({ headers }: Reply): void => {
  expect(headers.get('cache-control')).toBe('no-store');
  // The headers that a proxy or a browser would use for a conditional request.
  expect([headers.get('etag'), headers.get('last-modified'), headers.get('expires')]).toEqual([
    null,
    null,
    null,
  ]);
};

describe('16: no cache may keep', () => {
  afterEach(() => sample.restore());

  it.each(ANSWERS)('%i to %s', async (status, _, send) => {
    const reply = await send(sample.as('admin'));
    expect(reply.status).toBe(status);
    expectUnkept(reply);
  });

  it.each(['spy', 'pia', 'eve', null])('any answer to %s', async (caller) => {
    for (const [, , send] of ANSWERS) expectUnkept(await send(sample.as(caller)));
  });

  it('an answer to a conditional request: it is sent again in full', async () => {
    const older: Record<string, string>[] = [
      { 'if-none-match': '*' },
      { 'if-none-match': 'W/"1-x"' },
      { 'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' },
    ];
    for (const marks of older) {
      for (const [method, path, body] of [
        ['GET', '/items/articles', undefined],
        ['HEAD', '/items/articles', undefined],
        ['GET', '/items/articles/1', undefined],
        ['GET', '/collections', undefined],
        ['POST', '/graphql', { query: '{ articles { id } }' }],
      ] as const) {
        const reply = await sample.as('admin').send(method, path, body, marks);
        expect(reply.status).toBe(200);
        expectUnkept(reply);
      }
    }
  });
});
