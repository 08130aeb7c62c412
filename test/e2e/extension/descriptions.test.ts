import { type Newsroom, openNewsroom } from './newsroom';

let world: Newsroom;

beforeAll(async () => {
  world = await openNewsroom();
});

afterAll(() => world.app.close());

const get = async (name: string | null, path: string) => {
  const { data, codes } = await world.as(name).get(path);
  return codes[0] ?? data;
};
const names = async (name: string | null, path: string, member: string): Promise<unknown> => {
  const data = await get(name, path);
  return Array.isArray(data) ? data.map((each: Record<string, unknown>) => each[member]) : data;
};

const PLAIN = {
  ...{ nullable: true, required: false, concealed: false, relation: null },
  ...{ max_length: null, precision: null, scale: null, choices: null, element: null },
  ...{ read_only: false, write_once: false, min: null, max: null, pattern: null, format: null },
  computed: null,
};

describe('GET /collections', () => {
  it('tells an administrator of all', async () => {
    expect(await names('admin', '/collections', 'collection')).toEqual([
      ...['articles', 'categories', 'notes', 'service_access', 'service_activity'],
      ...[
        'service_comments',
        'service_permissions',
        'service_policies',
        'service_roles',
        'service_settings',
        'service_users',
      ],
      ...['site', 'tags'],
    ]);
  });

  it('tells others of what they may read, and nobody else of anything', async () => {
    expect(await names('bob', '/collections', 'collection')).toEqual([
      ...['articles', 'categories', 'service_users', 'site', 'tags'],
    ]);
    expect(await get('eve', '/collections')).toBe('FORBIDDEN');
    expect(await get(null, '/collections')).toBe('FORBIDDEN');
    expect(
      (await world.as('bob').send('GET', '/collections', undefined, { authorization: 'Bearer x' }))
        .status,
    ).toBe(401);
  });

  it('tells of one', async () => {
    expect(await get('bob', '/collections/site')).toEqual({
      ...{ collection: 'site', singleton: true, key: 'id' },
    });
    expect(await get('bob', '/collections/articles')).toMatchObject({ singleton: false });
  });
});

describe('GET /fields', () => {
  it('describes types, bounds and relations', async () => {
    const fields = (await get('admin', '/fields/articles')) as unknown as { field: string }[];
    const field = (name: string) => fields.find((each) => each.field === name);
    const own = (name: string) => ({ ...PLAIN, collection: 'articles', field: name });
    expect(fields).toHaveLength(16);
    expect(field('title')).toEqual({
      ...own('title'),
      ...{ type: 'text', nullable: false, required: true, max_length: 255 },
    });
    expect(field('price')).toEqual({ ...own('price'), type: 'decimal', precision: 10, scale: 2 });
    expect(field('status')).toEqual({
      ...own('status'),
      ...{ type: 'enum', nullable: false, choices: ['draft', 'published', 'archived'] },
    });
    expect(field('owner')).toEqual({
      ...own('owner'),
      ...{ type: 'uuid', relation: { kind: 'many-to-one', target: 'service_users', field: null } },
    });
    expect(field('tags')).toEqual({
      ...own('tags'),
      ...{ type: 'alias', relation: { kind: 'many-to-many', target: 'tags', field: null } },
    });
    expect(field('notes')).toMatchObject({
      relation: { kind: 'one-to-many', target: 'notes', field: 'article' },
    });
  });

  it('describes only what the caller may name', async () => {
    expect(await names('bob', '/fields/articles', 'field')).toEqual([
      ...['id', 'title', 'status', 'qty', 'published_at', 'owner', 'category', 'tags'],
    ]);
    expect(await names('bob', '/fields/service_users', 'field')).toEqual(['id', 'first_name']);
    expect(new Set((await names('bob', '/fields', 'collection')) as string[])).toEqual(
      new Set(['articles', 'categories', 'service_users', 'site', 'tags']),
    );
  });

  it('says nothing of a collection behind a relation that the caller does not see', async () => {
    const rule = { collection: 'notes', action: 'read', fields: ['article'], permissions: {} };
    const policies = { name: 'note readers', permissions: [] };
    const { id: policy } = (await world.as('admin').post('/policies', policies)).data;
    await world.as('admin').post('/permissions', { ...rule, policy });
    await world.as('admin').patch(`/users/${world.id('eve')}`, { policies: [policy] });
    expect(await get('eve', '/fields/notes/article')).toMatchObject({
      ...{ type: 'integer', relation: null },
    });
    await world.as('admin').patch(`/users/${world.id('eve')}`, { policies: [] });
  });

  it('marks what is concealed', async () => {
    expect(await get('admin', '/fields/service_users/password')).toMatchObject({ concealed: true });
  });

  it.each([
    ['/collections/notes', '/collections/nothing'],
    ['/fields/notes', '/fields/nothing'],
    ['/fields/articles/secret', '/fields/articles/nothing'],
    ['/items/notes', '/items/nothing'],
    ['/items/notes/1', '/items/nothing/1'],
  ])('%s, which is hidden, and %s, which is missing, answer alike', async (hidden, missing) => {
    const [one, other] = [await world.as('bob').get(hidden), await world.as('bob').get(missing)];
    expect([one.status, one.codes]).toEqual([403, ['FORBIDDEN']]);
    expect(other.text).toBe(one.text);
    expect(other.status).toBe(one.status);
  });
});
