import { seenOf } from '../compare';
import { type Ask, type ComparedWorld, openComparedWorld } from './compared-world';

let sample: ComparedWorld;

beforeAll(async () => {
  sample = await openComparedWorld();
});

afterAll(() => sample.app.close());

const nan = () => sample.as('nan');

describe('10: a hidden collection and a missing one', () => {
  it.each<[string, Ask]>([
    ['to list', (name) => nan().get(`/items/${name}`)],
    ['to count', (name) => nan().get(`/items/${name}?aggregate[count]=*`)],
    ['to search', (name) => nan().send('SEARCH', `/items/${name}`, { query: {} })],
    ['to read one of', (name) => nan().get(`/items/${name}/1`)],
    ['to add to', (name) => nan().post(`/items/${name}`, {})],
    ['to change', (name) => nan().patch(`/items/${name}`, {})],
    ['to change one of', (name) => nan().patch(`/items/${name}/1`, {})],
    ['to delete of', (name) => nan().delete(`/items/${name}`, [1])],
    ['to delete one of', (name) => nan().delete(`/items/${name}/1`)],
    ['to describe', (name) => nan().get(`/collections/${name}`)],
    ['to describe the fields of', (name) => nan().get(`/fields/${name}`)],
    ['to describe a field of', (name) => nan().get(`/fields/${name}/id`)],
    ['to describe the relations of', (name) => nan().get(`/relations/${name}`)],
    ['to describe a relation of', (name) => nan().get(`/relations/${name}/id`)],
  ])('are the same %s', async (_, ask) => {
    await sample.expectAlike(ask, 'site', 'nonsense');
  });

  it.each<[string, Ask]>([
    ['for a caller who is not signed in', (name) => sample.as(null).get(`/items/${name}`)],
    [
      'for a caller who is not signed in, to add to',
      (name) => sample.as(null).post(`/items/${name}`, []),
    ],
    ['for a user without rights', (name) => sample.as('eve').get(`/items/${name}?fields=x`)],
    ['to ask about an item of', (name) => sample.as('eve').get(`/permissions/me/${name}/1`)],
  ])('are the same %s', async (_, ask) => {
    for (const name of ['articles', 'tags', 'site']) {
      await sample.expectAlike(ask, name, 'nonsense');
    }
  });

  const METHODS = ['GET', 'HEAD', 'SEARCH', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS'];
  const SPELLINGS = ['X', 'X/', 'X/1', 'X/1/', 'X/1/2', 'X%2f1', 'X/%ff', 'X?a[b', '/X', 'X.json'];
  const CALLERS: readonly (readonly [string, string | null, Record<string, string>])[] = [
    ['a user', 'eve', {}],
    ['a caller who is not signed in', null, {}],
    ['a bad token', null, { authorization: 'Bearer x.y.z' }],
    [
      'a bad cookie',
      null,
      { cookie: 'service_session_token=x.y.z', origin: 'https://evil.example' },
    ],
    ['an invalid header', 'eve', { authorization: 'Basic eDp5' }],
  ];

  it.each(CALLERS)('are the same to %s by any method and spelling', async (_, caller, headers) => {
    for (const method of METHODS) {
      for (const spelling of SPELLINGS) {
        for (const root of ['/items/', '/ITEMS/', '/fields/', '/collections/', '/relations/']) {
          const body = ['GET', 'HEAD'].includes(method) ? undefined : {};
          const ask: Ask = (name) =>
            sample.as(caller).send(method, root + spelling.replace('X', name), body, headers);
          const [hidden, missing] = [await ask('site'), await ask('nonsense')];
          expect(hidden.status).toBeGreaterThanOrEqual(400);
          expect(seenOf(hidden, 'site')).toEqual(seenOf(missing, 'nonsense'));
        }
      }
    }
  });

  it('are the same in the lists of collections, fields and relations', async () => {
    const { data } = await nan().get('/collections');
    const shown = (data as unknown as { collection: string }[]).map(({ collection }) => collection);
    expect(shown).toEqual(['articles', 'categories', 'notes', 'tags']);
    for (const path of ['/fields', '/relations']) {
      expect((await nan().get(path)).text).not.toMatch(/secret|site|service_users|body/);
    }
  });

  it('are refused by each operation over GraphQL, and nothing is done', async () => {
    const before = await sample.items();
    for (const query of [
      '{ site { name } }',
      'mutation { update_site(data: {name: "X"}) { name } }',
      '{ articles { owner { first_name } } }',
      '{ articles { title secret } }',
      'mutation { update_articles_item(id: "6", data: {title: "X"}) { secret } }',
      'mutation { update_articles_item(id: "6", data: {secret: "X"}) { id } }',
      'mutation { create_articles_item(data: {title: "X", body: "X"}) { id } }',
      'mutation { create_tags_item(data: {name: "X"}) { id } }',
    ]) {
      const { status, codes } = await sample.graphql('nan', query);
      expect([status, codes]).toEqual([403, ['FORBIDDEN']]);
    }
    expect(await sample.items()).toEqual(before);
  });
});

describe('10: a hidden field and a missing one', () => {
  const FIELDS = ['secret', 'body', 'price', 'date_created'];

  it.each<[string, Ask]>([
    ['to show', (name) => nan().get(`/items/articles?fields=title,${name}`)],
    ['to show of one', (name) => nan().get(`/items/articles/6?fields=${name}`)],
    ['to show of a hidden item', (name) => nan().get(`/items/articles/1?fields=${name}`)],
    ['to open', (name) => nan().get(`/items/articles?fields=${name}.id`)],
    ['to show behind a relation', (name) => nan().get(`/items/notes?fields=article.${name}`)],
    ['to describe', (name) => nan().get(`/fields/articles/${name}`)],
    ['to set', (name) => nan().patch('/items/articles/6', { [name]: 'x' })],
    ['to set in a hidden item', (name) => nan().patch('/items/articles/1', { [name]: 'x' })],
    ['to set to a wrong value', (name) => nan().patch('/items/articles/6', { [name]: [{}] })],
    [
      'to set along with a mistake',
      (name) => nan().post('/items/articles', { title: 7, [name]: 1 }),
    ],
    ['to answer with', (name) => nan().post(`/items/articles?fields=${name}`, { title: 'x' })],
    [
      'to set in a nested item',
      (name) => nan().patch(sample.fill('/items/notes/<own>'), { article: { id: 6, [name]: 'x' } }),
    ],
    [
      'to set in a nested new item',
      (name) => nan().post('/items/notes', { text: 'x', article: { title: 'x', [name]: 'x' } }),
    ],
    [
      'to set in a list',
      (name) => nan().patch('/items/articles/6', { tags: [{ id: sample.tags.red, [name]: 'x' }] }),
    ],
    [
      'to choose rows by',
      (name) => nan().delete('/items/articles', { query: { filter: { [name]: { _null: true } } } }),
    ],
  ])('are the same %s', async (_, ask) => {
    for (const name of FIELDS) await sample.expectTwins(ask, name, 'nonsense');
  });
});
