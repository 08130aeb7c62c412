import type { SampleWorld } from '../../security/items/sample-world';
import { openSampleWorld } from '../../security/items/sample-world';

let world: SampleWorld;

beforeAll(async () => {
  world = await openSampleWorld();
});

afterAll(() => world.app.close());

const COUNT = 'aggregate[count]=*&aggregate[max]=id';
const ALL = [{ count: 3, max: { id: 4 } }];

const list = (query: string) => world.as('spy').get(`/items/articles?${query}`);

describe('with an aggregate of all rows', () => {
  it.each([
    'sort=-title',
    'sort=secret',
    'fields=id,title',
    'fields=shoe_size',
    'limit=1&page=3',
    'limit=0',
    'page=1000000',
    'deep[notes][_limit]=1',
    'sort=-id&fields=*.*&limit=1&page=2&deep={"notes":{"_sort":["text"]}}',
    'groupBy=&sort=title',
  ])('%s has no effect', async (query) => {
    expect((await list(`${COUNT}&${query}`)).body).toEqual({ data: ALL });
  });

  it('filter and search apply', async () => {
    const found = [{ count: 1, max: { id: 2 } }];
    expect((await list(`${COUNT}&filter[title]=Hills&sort=title&page=2`)).data).toEqual(found);
    expect((await list(`${COUNT}&search=hill&fields=title`)).data).toEqual(found);
  });

  it.each([
    ['filter[secret][_eq]=xyzzy', 'FORBIDDEN'],
    ['alias[x]=title', 'INVALID_QUERY'],
    ['meta=*', 'INVALID_QUERY'],
    ['colour=red', 'INVALID_QUERY'],
  ])('%s is refused: %s', async (query, code) => {
    expect((await list(`${COUNT}&${query}`)).codes).toEqual([code]);
  });

  it('a SEARCH may have it in its body', async () => {
    const query = {
      aggregate: { count: ['*'] },
      sort: ['-title'],
      limit: 1,
      page: 2,
      fields: ['id'],
    };
    const reply = await world.as('spy').send('SEARCH', '/items/articles', { query });
    expect(reply.body).toEqual({ data: [{ count: 3 }] });
  });

  it('GraphQL accepts its arguments', async () => {
    const query = '{ articles_aggregated(sort: ["-title"], limit: 1, page: 3) { countAll } }';
    expect((await world.graphql('spy', query)).data).toEqual({
      articles_aggregated: [{ countAll: 3 }],
    });
  });

  it('it counts no rows for a caller who sees none', async () => {
    const reply = await list(`${COUNT}&filter[id]=3&sort=title&page=2`);
    expect(reply.data).toEqual([{ count: 0, max: { id: null } }]);
  });
});

describe('with groups', () => {
  it('sort, limit and page apply to the groups', async () => {
    const { data } = await list('aggregate[count]=*&groupBy=title&sort=-title&limit=1&page=2');
    expect(data).toEqual([{ title: 'Rivers', count: 1 }]);
  });

  it.each(['fields=title', 'deep[notes][_limit]=1', 'sort=secret'])(
    '%s is refused',
    async (query) => {
      const reply = await list(`aggregate[count]=*&groupBy=title&${query}`);
      expect([reply.status, reply.codes]).toEqual([400, ['INVALID_QUERY']]);
    },
  );
});
