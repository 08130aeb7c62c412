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

describe('GET /collections', () => {
  it('lists all to an administrator', async () => {
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

  it('lists to other callers only what they may read', async () => {
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

  it('describes one', async () => {
    expect(await get('bob', '/collections/site')).toMatchObject({
      ...{ collection: 'site', key: 'id', schema: { name: 'site', comment: null } },
      meta: { collection: 'site', singleton: true, hidden: false },
    });
    expect(await get('bob', '/collections/articles')).toMatchObject({ meta: { singleton: false } });
  });
});

describe('GET /fields', () => {
  const column = {
    ...{ default_value: null, max_length: null, numeric_precision: null, numeric_scale: null },
    ...{ is_nullable: true, is_unique: false, is_indexed: false, is_primary_key: false },
    ...{ is_generated: false, has_auto_increment: false, comment: null },
    ...{ foreign_key_table: null, foreign_key_column: null },
  };

  it.each<[string, object]>([
    [
      'articles/id',
      {
        type: 'integer',
        schema: {
          ...{ ...column, name: 'id', table: 'articles', data_type: 'integer' },
          ...{ is_nullable: false, is_unique: true, is_indexed: true, is_primary_key: true },
          has_auto_increment: true,
        },
        meta: { special: null, required: false },
      },
    ],
    [
      'articles/title',
      {
        type: 'string',
        schema: {
          ...{ ...column, name: 'title', table: 'articles', data_type: 'character varying' },
          ...{ max_length: 255, is_nullable: false },
        },
        meta: { special: null, interface: null, options: null, required: true, readonly: false },
      },
    ],
    ['articles/body', { type: 'text', schema: { data_type: 'text', max_length: null } }],
    [
      'articles/status',
      {
        type: 'string',
        schema: { default_value: 'draft', is_nullable: false, is_indexed: true },
        meta: {
          interface: 'select-dropdown',
          options: {
            choices: ['draft', 'published', 'archived'].map((value) => ({ text: value, value })),
          },
        },
      },
    ],
    [
      'articles/price',
      {
        type: 'decimal',
        schema: { data_type: 'numeric', numeric_precision: 10, numeric_scale: 2 },
      },
    ],
    ['articles/rating', { type: 'float', schema: { data_type: 'double precision' } }],
    [
      'articles/featured',
      { type: 'boolean', schema: { default_value: false }, meta: { special: ['cast-boolean'] } },
    ],
    [
      'articles/metadata',
      { type: 'json', schema: { data_type: 'jsonb' }, meta: { special: ['cast-json'] } },
    ],
    [
      'articles/date_created',
      { type: 'timestamp', schema: { data_type: 'timestamp with time zone', default_value: null } },
    ],
    [
      'articles/owner',
      {
        type: 'uuid',
        schema: { foreign_key_table: 'service_users', foreign_key_column: 'id' },
        meta: { special: ['m2o'], interface: 'select-dropdown-m2o' },
      },
    ],
    ['articles/tags', { type: 'alias', schema: null, meta: { special: ['m2m'], sort: 14 } }],
    ['articles/notes', { type: 'alias', schema: null, meta: { special: ['o2m'] } }],
    ['categories/name', { schema: { is_unique: true } }],
    ['notes/id', { type: 'uuid', schema: { has_auto_increment: false } }],
    ['service_users/tags', { type: 'csv', element: 'text', meta: { special: ['cast-csv'] } }],
    ['service_users/password', { concealed: true, meta: { special: ['conceal'] } }],
  ])('describes %s', async (path, expected) => {
    expect(await get('admin', `/fields/${path}`)).toMatchObject(expected);
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

  it('counts only what the caller may name: no gap shows that there is more', async () => {
    const { data } = await world.as('bob').get<{ meta: { sort: number } }[]>('/fields/articles');
    expect(data.map(({ meta }) => meta.sort)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(await get('bob', '/fields/articles/tags')).toMatchObject({ meta: { sort: 8 } });
  });

  it('does not show a relation to a collection that the caller cannot see', async () => {
    const rule = { collection: 'notes', action: 'read', fields: ['article'], permissions: {} };
    const policies = { name: 'note readers', permissions: [] };
    const { id: policy } = (await world.as('admin').post('/policies', policies)).data;
    await world.as('admin').post('/permissions', { ...rule, policy });
    await world.as('admin').patch(`/users/${world.id('eve')}`, { policies: [policy] });
    expect(await get('eve', '/fields/notes/article')).toMatchObject({
      ...{ type: 'integer', schema: { foreign_key_table: null, foreign_key_column: null } },
    });
    await world.as('admin').patch(`/users/${world.id('eve')}`, { policies: [] });
  });

  it.each([
    ['/collections/notes', '/collections/nothing'],
    ['/fields/notes', '/fields/nothing'],
    ['/fields/articles/secret', '/fields/articles/nothing'],
    ['/relations/notes', '/relations/nothing'],
    ['/relations/notes/article', '/relations/nothing/article'],
    ['/relations/articles/secret', '/relations/articles/nothing'],
    ['/items/notes', '/items/nothing'],
    ['/items/notes/1', '/items/nothing/1'],
  ])('%s, which is hidden, and %s, which is missing, answer alike', async (hidden, missing) => {
    const [one, other] = [await world.as('bob').get(hidden), await world.as('bob').get(missing)];
    expect([one.status, one.codes]).toEqual([403, ['FORBIDDEN']]);
    expect(other.text).toBe(one.text);
    expect(other.status).toBe(one.status);
  });
});

describe('GET /relations', () => {
  const places = (relations: unknown): string[] =>
    (relations as { collection: string; field: string }[]).map(
      ({ collection, field }) => `${collection}.${field}`,
    );

  it('lists to-one fields and the lists at their other end', async () => {
    expect(await get('admin', '/relations/notes/article')).toEqual({
      ...{ collection: 'notes', field: 'article', related_collection: 'articles' },
      schema: {
        ...{ table: 'notes', column: 'article', on_delete: 'CASCADE' },
        ...{ foreign_key_table: 'articles', foreign_key_column: 'id' },
      },
      meta: {
        ...{ many_collection: 'notes', many_field: 'article' },
        ...{ one_collection: 'articles', one_field: 'notes', one_deselect_action: 'delete' },
        ...{ junction_field: null, sort_field: null },
        ...{ one_collection_field: null, one_allowed_collections: null },
      },
    });
    expect(await get('admin', '/relations/articles/owner')).toMatchObject({
      schema: { on_delete: 'SET NULL' },
      meta: { one_collection: 'service_users', one_field: null, one_deselect_action: 'nullify' },
    });
    expect(await get('admin', '/relations/categories/parent')).toMatchObject({
      meta: { many_collection: 'categories', one_collection: 'categories', one_field: null },
    });
  });

  it('lists a many-to-many at its list, with the columns of its junction', async () => {
    expect(await get('admin', '/relations/articles/tags')).toMatchObject({
      related_collection: 'tags',
      schema: { table: 'articles_tags', column: 'articles_id', foreign_key_table: 'articles' },
      meta: {
        ...{ many_collection: 'tags', many_field: null, junction_field: 'tags_id' },
        ...{ one_collection: 'articles', one_field: 'tags' },
      },
    });
  });

  it('lists only relations between what the caller may see', async () => {
    expect(places(await get('bob', '/relations'))).toEqual([
      ...['articles.owner', 'articles.category', 'articles.tags', 'categories.parent'],
    ]);
    expect(places(await get('bob', '/relations/articles'))).toHaveLength(3);
    expect(await get('bob', '/relations/tags')).toEqual([]);
    expect(places(await get('admin', '/relations'))).toEqual(
      expect.arrayContaining(['notes.author', 'service_users.role', 'service_access.policy']),
    );
    for (const name of ['eve', null]) expect(await get(name, '/relations')).toBe('FORBIDDEN');
  });
});
