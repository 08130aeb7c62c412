import { type SeedData, comment, read, remove, update } from '../../factories';
import { openSampleWorld, type SampleWorld } from '../../security/items/sample-world';
import type { Reply } from '../../support';

const MINE = { owner: { _eq: '$CURRENT_USER' } } as const;

const SEED: SeedData = {
  policies: {
    reading: [read('articles', ['title', 'status'], { status: { _eq: 'published' } })],
    commenting: [comment('articles', ['*'], { title: { _neq: 'Closed' } })],
    reviewing: [read('service_comments', ['*'])],
    moderating: [update('service_comments', ['comment']), remove('service_comments')],
    blind: [comment('articles', ['*'], MINE)],
  },
  users: {
    cat: { policies: ['reading', 'commenting'] },
    dan: { policies: ['reading', 'commenting', 'reviewing'] },
    mod: { policies: ['reading', 'reviewing', 'moderating'] },
    lea: { policies: ['reading'] },
    noa: { policies: ['blind'] },
  },
};

let world: SampleWorld;

beforeAll(async () => {
  world = await openSampleWorld(SEED);
}, 120_000);

afterAll(() => world.app.close());

interface Transport {
  create(caller: string | null, data: object): Promise<Reply>;
  update(caller: string, id: string, data: object): Promise<Reply>;
  remove(caller: string, id: string): Promise<Reply>;
  list(caller: string): Promise<unknown>;
  /** The refusal of a field that does not exist: REST does not say so, but GraphQL's schema shows it. */
  readonly unknownField: string;
}

const graphql = (caller: string | null, query: string, variables: object): Promise<Reply> =>
  world.as(caller).post('/graphql/system', { query, variables });

const TRANSPORTS: readonly (readonly [string, Transport])[] = [
  [
    'REST',
    {
      create: (caller, data) => world.as(caller).post('/comments', data),
      update: (caller, id, data) => world.as(caller).patch(`/comments/${id}`, data),
      remove: (caller, id) => world.as(caller).delete(`/comments/${id}`),
      list: async (caller) => (await world.as(caller).get('/comments?fields=comment')).data,
      unknownField: 'FORBIDDEN',
    },
  ],
  [
    'GraphQL',
    {
      create: async (caller, data) =>
        unwrapped(
          await graphql(
            caller,
            'mutation ($data: create_comments_input!) { create_comments_item(data: $data) { id collection item comment date_updated } }',
            { data },
          ),
        ),
      update: async (caller, id, data) =>
        unwrapped(
          await graphql(
            caller,
            'mutation ($id: ID!, $data: update_comments_input!) { update_comments_item(id: $id, data: $data) { comment } }',
            { id, data },
          ),
        ),
      remove: (caller, id) =>
        graphql(caller, 'mutation ($id: ID!) { delete_comments_item(id: $id) { id } }', { id }),
      list: async (caller) =>
        (await graphql(caller, '{ comments { comment } }', {})).data['comments'],
      unknownField: 'INVALID_PAYLOAD',
    },
  ],
];

const unwrapped = (reply: Reply): Reply => ({
  ...reply,
  data: (Object.values(reply.data ?? {})[0] ?? {}) as Record<string, unknown>,
});

const stored = (): Promise<unknown[]> =>
  world.app.database.query('SELECT * FROM service_comments ORDER BY id');

describe.each(TRANSPORTS)('Over %s', (_, transport) => {
  afterEach(() => world.app.database.query('DELETE FROM service_comments'));

  const about = (item: number | string, text = 'Well') => ({
    ...{ collection: 'articles', item: String(item), comment: text },
  });

  async function made(caller: string, item: number | string, text?: string): Promise<string> {
    const reply = await transport.create(caller, about(item, text));
    expect(reply.codes).toEqual([]);
    return String(reply.data['id']);
  }

  it('users who may comment on a row comment in their own name', async () => {
    await made('cat', 1);
    expect(await stored()).toEqual([
      expect.objectContaining({
        ...{ collection: 'articles', item: '1', comment: 'Well', user_created: world.id('cat') },
        date_updated: null,
      }),
    ]);
    for (const [more, code] of [
      [{ user_created: '<dan>' }, 'FORBIDDEN'],
      [{ date_created: '2020-01-01' }, 'FORBIDDEN'],
      [{ bogus: 1 }, transport.unknownField],
    ] as const) {
      const reply = await transport.create('cat', world.fill({ ...about(1), ...more }));
      expect([more, reply.codes]).toEqual([more, [code]]);
    }
    expect(await stored()).toHaveLength(1);
  });

  it('no one can comment without the right to, on rows that they cannot see, or on rows that do not exist', async () => {
    const attempts: [string | null, object][] = [
      ['lea', about(1)],
      // On a draft, and on rows and collections that do not exist.
      ['cat', about(3)],
      ['cat', about(999_999)],
      ['cat', about('01')],
      ['cat', about("1' OR true")],
      ['cat', { ...about(1), collection: 'bogus' }],
      ['cat', { ...about(1), collection: 'categories' }],
      ['cat', { ...about(1), collection: 'service_users', item: '<cat>' }],
      ['cat', { ...about(1), collection: 'service_comments' }],
      ['cat', { ...about(1), collection: 'service_activity' }],
      // Noa may comment, but cannot see any article.
      ['noa', about(1)],
      [null, about(1)],
      ['admin', about(999_999)],
    ];
    const texts = new Set<string>();
    for (const [caller, data] of attempts) {
      const reply = await transport.create(caller, world.fill(data));
      expect([data, reply.codes]).toEqual([data, ['FORBIDDEN']]);
      if (caller === 'cat')
        texts.add(
          JSON.stringify(
            (reply.body as { errors: { message: string }[] }).errors.map(({ message }) => message),
          ),
        );
    }
    expect([...texts]).toHaveLength(1);
    expect(await stored()).toEqual([]);
  });

  it('a comment must have a text and belong to a row', async () => {
    for (const [data, code] of [
      [{ ...about(1), comment: ' \n' }, 'FAILED_VALIDATION'],
      [{ ...about(1), comment: 'x'.repeat(10_001) }, 'VALUE_TOO_LONG'],
      [{ collection: 'articles', comment: 'Of what?' }, 'FAILED_VALIDATION'],
    ] as const) {
      expect((await transport.create('cat', data)).codes).toEqual([code]);
    }
    expect(await stored()).toEqual([]);
  });

  it('authors see, edit and delete their own comments, and no one else’s', async () => {
    const own = await made('cat', 1, 'Mine');
    const other = await made('dan', 1, 'Dan’s');
    expect(await transport.list('cat')).toEqual([{ comment: 'Mine' }]);
    expect(await transport.list('lea')).toEqual([]);
    expect((await transport.update('cat', own, { comment: 'Better' })).data).toMatchObject({
      comment: 'Better',
    });
    for (const [id, data] of [
      [own, { item: '2' }],
      [own, { collection: 'tags' }],
      [own, { user_created: null }],
      [other, { comment: 'Taken' }],
    ] as const) {
      expect((await transport.update('cat', id, data)).codes).toEqual(['FORBIDDEN']);
    }
    expect((await transport.remove('cat', other)).codes).toEqual(['FORBIDDEN']);
    expect((await transport.remove('cat', own)).codes).toEqual([]);
    expect(await transport.list('dan')).toEqual([{ comment: 'Dan’s' }]);
  });

  it('users read and edit comments of others if their rules allow it', async () => {
    const id = await made('cat', 1, 'Rude');
    expect(await transport.list('mod')).toEqual([{ comment: 'Rude' }]);
    expect((await transport.update('mod', id, { comment: 'Polite' })).codes).toEqual([]);
    const [row] = (await stored()) as { date_updated: unknown }[];
    expect(row?.date_updated).not.toBeNull();
    expect((await transport.remove('mod', id)).codes).toEqual([]);
  });

  it('users who can no longer see a row lose access to its comments, including their own', async () => {
    const id = await made('cat', 1, 'Hello');
    await world.as('admin').patch('/items/articles/1', { status: 'draft' });
    try {
      for (const caller of ['cat', 'dan', 'mod']) expect(await transport.list(caller)).toEqual([]);
      for (const caller of ['cat', 'mod']) {
        for (const data of [{ comment: 'Still' }, { comment: ' ' }, { item: '2' }]) {
          expect((await transport.update(caller, id, data)).codes).toEqual(['FORBIDDEN']);
        }
        expect((await transport.remove(caller, id)).codes).toEqual(['FORBIDDEN']);
      }
      expect(await transport.list('admin')).toEqual([{ comment: 'Hello' }]);
    } finally {
      await world.as('admin').patch('/items/articles/1', { status: 'published' });
    }
    expect(await transport.list('cat')).toEqual([{ comment: 'Hello' }]);
  });

  it('of a list of comments each is refused for its own fault, the first one first', async () => {
    const [hidden, seen] = await Promise.all([made('cat', 1), made('cat', 2)]);
    await world.as('admin').patch('/items/articles/1', { status: 'draft' });
    const codesOf = async (...payloads: object[]): Promise<readonly string[]> =>
      (await world.as('mod').patch('/comments', payloads)).codes;
    try {
      const [told, blank] = [
        { id: seen, comment: 'New' },
        { id: seen, comment: ' ' },
      ];
      expect(await codesOf(blank, { id: hidden, comment: 'New' })).toEqual(['FAILED_VALIDATION']);
      expect(await codesOf({ id: hidden, comment: ' ' }, blank)).toEqual(['FORBIDDEN']);
      expect(await codesOf(told, { id: hidden, comment: 'New' })).toEqual(['FORBIDDEN']);
      expect(await codesOf(told)).toEqual([]);
    } finally {
      await world.as('admin').patch('/items/articles/1', { status: 'published' });
    }
  });

  it('a row is deleted with its comments', async () => {
    const { data } = await world
      .as('admin')
      .post('/items/articles', { title: 'Brief', status: 'published' });
    await made('cat', String(data['id']));
    const kept = await made('cat', 1);
    await world.as('admin').delete(`/items/articles/${String(data['id'])}`);
    expect(await stored()).toEqual([expect.objectContaining({ id: kept })]);
  });
});

describe('Permission reports', () => {
  it('treat a comment on a hidden row like one that does not exist', async () => {
    const about = { collection: 'articles', item: '1', comment: 'Told' };
    const { data } = await world.as('cat').post('/comments', about);
    const report = async (id: unknown) =>
      (await world.as('mod').get(`/permissions/me/service_comments/${String(id)}`)).data;
    expect(await report(data['id'])).toMatchObject({ update: { access: true } });
    await world.as('admin').patch('/items/articles/1', { status: 'draft' });
    try {
      expect(await report(data['id'])).toEqual(
        await report('00000000-0000-4000-8000-000000000000'),
      );
    } finally {
      await world.as('admin').patch('/items/articles/1', { status: 'published' });
    }
  });

  it('do not list the built-in rights of authors', async () => {
    const { data } = await world.as('cat').get('/permissions/me');
    expect(Object.keys(data)).toEqual(['articles']);
  });
});
