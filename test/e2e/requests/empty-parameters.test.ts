import { openSampleWorld, type SampleWorld } from '../../security/items/sample-world';

let world: SampleWorld;

beforeAll(async () => {
  world = await openSampleWorld();
});

afterAll(() => world.app.close());

const IDS = [{ id: 1 }, { id: 2 }, { id: 4 }];
const GROUPS = { aggregate: { count: '*' }, groupBy: ['status'], fields: [], deep: {}, alias: {} };

it.each<[string, object]>([
  ['an aggregate that is null', { aggregate: null }],
  ['an empty aggregate', { aggregate: {} }],
  ['groups that are null', { groupBy: null }],
  ['no groups', { groupBy: [] }],
  ['groups without a name', { groupBy: ['', ' , '] }],
  ['no filter', { filter: null, search: null, sort: [], limit: null, deep: {}, alias: {} }],
])('A SEARCH with %s is a list', async (_, empty) => {
  const query = { fields: ['id'], ...empty };
  const reply = await world.as('spy').send('SEARCH', '/items/articles', { query });
  expect(reply.body).toEqual({ data: IDS });
});

it.each(['aggregate={}', 'aggregate={ }&groupBy=', 'groupBy=,', 'groupBy[]=&sort=,&filter={}'])(
  'A GET with %s is a list',
  async (empty) => {
    const reply = await world.as('spy').get(`/items/articles?fields=id&${empty}`);
    expect(reply.body).toEqual({ data: IDS });
  },
);

it.each(['_filter', '_sort', '_limit', '_offset', '_page', '_search', '_alias'])(
  'An empty %s of a relation counts as missing',
  async (name) => {
    const asked = '/items/articles?fields=id,notes.text&filter[id]=4';
    const { body } = await world.as('spy').get(`${asked}&deep[notes][${name}]=`);
    expect(body).toEqual((await world.as('spy').get(asked)).body);
    expect(body).toMatchObject({ data: [{ id: 4 }] });
  },
);

it('An empty parameter that a relation does not have is refused', async () => {
  const { codes } = await world
    .as('spy')
    .get('/items/articles?fields=id,notes.text&deep[notes][_fields]=');
  expect(codes).toEqual(['INVALID_QUERY']);
});

it('Empty parameters are allowed with groups', async () => {
  const reply = await world.as('spy').send('SEARCH', '/items/articles', { query: GROUPS });
  expect(reply.status).toBe(200);
  expect(reply.data).toContainEqual({ status: 'published', count: expect.any(Number) as number });
});

it('A searched text may be a comma or braces', async () => {
  for (const search of [',', '{}']) {
    const query = { fields: ['id'], search };
    const reply = await world.as('spy').send('SEARCH', '/items/articles', { query });
    expect(reply.body).toEqual({ data: [] });
  }
});

it('Parameters for showing rows are refused with groups, by their name', async () => {
  for (const name of ['meta', 'fields', 'alias']) {
    const value = name === 'alias' ? 'alias[x]=id' : `${name}=*`;
    const { status, text } = await world.as('spy').get(`/items/articles?groupBy=status&${value}`);
    expect([status, text]).toEqual([
      400,
      expect.stringContaining('combined with aggregate or groupBy'),
    ]);
    expect(text).toContain(name);
  }
});
