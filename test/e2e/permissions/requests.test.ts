import { seed, type World } from '../../factories';
import { startTestApp } from '../../support';
import { SEED } from './fixtures';

/** Only for REST: the different forms of query strings and bodies with the same meaning. */

let world: World;

beforeAll(async () => {
  world = await seed(await startTestApp(), SEED);
});

afterAll(() => world.app.close());

const OF_SAMPLE = 'filter[policy][_eq]=<sample>';
const FIRST = [{ id: '<sample#1>' }];
const ALL = [1, 2, 3].map((number) => ({ id: `<sample#${number}>` }));

const READS: readonly (readonly [query: string, data: unknown])[] = [
  [`fields=id&${OF_SAMPLE}`, ALL],
  [`fields[]=id&${OF_SAMPLE}`, ALL],
  [`fields=id&fields=action&limit=1&${OF_SAMPLE}`, [{ id: '<sample#1>', action: 'read' }]],
  [
    `fields[]=id,action&fields[]=policy.name&limit=1&${OF_SAMPLE}`,
    [{ id: '<sample#1>', action: 'read', policy: { name: 'sample' } }],
  ],
  [`fields=id,,%20action&limit=1&${OF_SAMPLE}`, [{ id: '<sample#1>', action: 'read' }]],
  [`fields=id&filter[action][_eq]=read&${OF_SAMPLE}`, FIRST],
  [`fields=id&filter[id][_eq]=<sample#1>`, FIRST],
  [`fields=id&filter[id][_in]=<sample#1>`, FIRST],
  [`fields=id&filter[id][_in]=<sample#1>,<sample#2>,<sample#3>`, ALL],
  [
    `fields=id&filter[id][_in][]=<sample#1>&filter[id][_in][]=<sample#2>&filter[id][_in][]=<sample#3>`,
    ALL,
  ],
  [`fields=id&filter[id][_between]=<sample#1>,<sample#3>`, ALL],
  [`fields=id&filter[id][_between][0]=<sample#1>&filter[id][_between][1]=<sample#1>`, FIRST],
  [`fields=id&filter[_and][0][action][_eq]=read&filter[_and][1][policy][name][_eq]=sample`, FIRST],
  [`fields=id&filter[policy][name][_eq]=sample&filter[action][_null]=true`, []],
  [`fields=id&filter={"policy":{"_eq":"<sample>"},"action":{"_eq":"read"}}`, FIRST],
  [`fields=id&filter[policy][_in]=$CURRENT_POLICIES&${OF_SAMPLE}`, []],
  [`fields=id&sort=-id&limit=1&${OF_SAMPLE}`, [{ id: '<sample#3>' }]],
  [`fields=id&sort[]=action&sort[]=-id&limit=1&${OF_SAMPLE}`, [{ id: '<sample#3>' }]],
  [`fields=shown&alias[shown]=action&limit=1&${OF_SAMPLE}`, [{ shown: 'read' }]],
  [
    `fields=policy.permissions&deep[policy][permissions][_limit]=1&limit=1&${OF_SAMPLE}`,
    [{ policy: { permissions: ['<sample#1>'] } }],
  ],
  [`fields=id&search=&limit=&sort=&page=&${OF_SAMPLE}`, ALL],
  [`fields=id&limit[]=1&${OF_SAMPLE}`, 'limit'],
  [`fields=id&limit=1&limit=2&${OF_SAMPLE}`, 'limit'],
  [`fields[a]=id`, 'fields'],
  [`filter=%7B`, 'filter'],
  [`filter=read`, 'filter'],
  [`fields=id&filter[action]=read&filter[policy]=<sample>`, FIRST],
  [`filter[action][]=read`, 'filter.action'],
  [`search[]=a`, 'search'],
  [`sort[a]=id`, 'sort'],
  [`deep=%7B`, 'deep'],
  [`alias=action`, 'alias'],
  [`access_token=abc`, 'access_token'],
  [`constructor=1`, 'constructor'],
  [`filter[id][_in]=1,x`, 'filter.id._in.1'],
  [`filter[id][_in]=`, 'filter.id._in.0'],
  [`filter[id][_between]=1`, 'filter.id._between'],
  [`filter[policy][_in]=$CURRENT_MOOD`, 'filter.policy._in'],
];

describe('a query string', () => {
  test.each(READS.filter(([, data]) => typeof data !== 'string'))('%s', async (query, data) => {
    const reply = await world.as('admin').get(world.fill(`/permissions?${query}`));
    expect([reply.status, reply.data]).toEqual([200, world.fill(data)]);
  });

  test.each(READS.filter(([, data]) => typeof data === 'string'))(
    '%s is refused, naming %s',
    async (query, field) => {
      const reply = await world.as('admin').get(world.fill(`/permissions?${query}`));
      expect([reply.status, reply.codes]).toEqual([400, ['INVALID_QUERY']]);
      expect(reply.text).toContain(`"field":"${String(field)}"`);
    },
  );
});

describe('a SEARCH', () => {
  it.each([{}, { query: {} }])('without a query returns the first page: %j', async (body) => {
    const reply = await world.as('admin').send('SEARCH', '/permissions', body);
    expect(reply.status).toBe(200);
    expect(reply.data.length).toBeGreaterThan(3);
  });

  it.each([
    [undefined, 'INVALID_PAYLOAD'],
    [[], 'INVALID_PAYLOAD'],
    [{ query: [] }, 'INVALID_PAYLOAD'],
    [{ query: 'id' }, 'INVALID_PAYLOAD'],
    [{ filter: {} }, 'INVALID_PAYLOAD'],
    [{ query: {}, keys: [1] }, 'INVALID_PAYLOAD'],
    [{ query: { filter: '{' } }, 'INVALID_QUERY'],
    [{ query: { limit: '1' } }, undefined],
    [{ query: { limit: {} } }, 'INVALID_QUERY'],
    [{ query: { fields: [['id']] } }, 'INVALID_QUERY'],
    [{ query: { fields: { id: true } } }, 'INVALID_QUERY'],
    [{ query: { sort: [7] } }, 'INVALID_QUERY'],
    [{ query: { search: {} } }, 'INVALID_QUERY'],
    [{ query: { filter: { id: { _in: 7 } } } }, 'INVALID_QUERY'],
  ])('%j is checked like a query string: %s', async (body, code) => {
    const reply = await world.as('admin').send('SEARCH', '/permissions', body);
    expect(reply.codes).toEqual(code === undefined ? [] : [code]);
    expect(reply.status).toBe(code === undefined ? 200 : 400);
  });

  it('refuses the parameters of a list in its address', async () => {
    const reply = await world.as('admin').send('SEARCH', '/permissions?limit=1', { query: {} });
    expect([reply.status, reply.codes]).toEqual([400, ['INVALID_QUERY']]);
    expect(reply.text).toContain('"field":"limit"');
  });
});

describe('a body that updates many', () => {
  const FIELDS = { fields: ['id'] };
  afterEach(() => world.restore());

  it('may have the ids and the fields at the same level', async () => {
    const body = { id: ['<sample#1>', '<sample#3>'], ...FIELDS };
    const reply = await world.as('admin').patch('/permissions?fields=id,fields', world.fill(body));
    expect(reply.data).toEqual(
      world.fill(['<sample#1>', '<sample#3>'].map((id) => ({ id, ...FIELDS }))),
    );
  });

  it.each([
    [{ keys: ['<sample#1>'] }, 'data'],
    [{ keys: '<sample#1>', data: FIELDS }, 'keys'],
    [{ keys: { id: 1 }, data: FIELDS }, 'keys'],
    [{ data: FIELDS }, 'keys'],
    [{ keys: ['<sample#1>'], query: {}, data: FIELDS }, 'keys'],
    [{ keys: ['<sample#1>'], data: FIELDS, more: 1 }, 'more'],
    [{ query: 'all', data: FIELDS }, 'query'],
    [{ query: [], data: FIELDS }, 'query'],
    [{ id: 1, fields: [] }, 'id'],
    [FIELDS, 'fields'],
    [{ keys: [null], data: FIELDS }, 'keys'],
    [{ id: [{}], ...FIELDS }, 'id'],
  ])('%j is refused, naming %s', async (body, field) => {
    const before = await world.state();
    const reply = await world.as('admin').patch('/permissions', world.fill(body));
    expect([reply.status, reply.codes]).toEqual([400, ['INVALID_PAYLOAD']]);
    expect(reply.text).toContain(`"field":"${field}"`);
    expect(await world.state()).toEqual(before);
  });

  it.each([[[null]], [['x']], [[[]]], ['x'], [7], [null], [undefined]])(
    '%j is refused',
    async (body) => {
      const reply = await world.as('admin').patch('/permissions', body);
      expect([reply.status, reply.codes]).toEqual([400, ['INVALID_PAYLOAD']]);
    },
  );
});

describe('a body that deletes many', () => {
  afterEach(() => world.restore());

  it('may have the ids as keys', async () => {
    const body = world.fill({ keys: ['<sample#1>', '<sample#2>'] });
    expect((await world.as('admin').delete('/permissions', body)).status).toBe(204);
    const left = await world.as('admin').get(world.fill(`/permissions?fields=id&${OF_SAMPLE}`));
    expect(left.data).toEqual(world.fill([{ id: '<sample#3>' }]));
  });

  it.each([
    [{}],
    [{ keys: '<sample#1>' }],
    [{ keys: ['<sample#1>'], query: {} }],
    [{ ids: ['<sample#1>'] }],
    [{ query: 'all' }],
    [[null]],
    [[true]],
    ['<sample#1>'],
    [7],
    [null],
    [undefined],
  ])('%j is refused', async (body) => {
    const before = await world.state();
    const reply = await world.as('admin').delete('/permissions', world.fill(body));
    expect([reply.status, reply.codes]).toEqual([400, ['INVALID_PAYLOAD']]);
    expect(await world.state()).toEqual(before);
  });
});
