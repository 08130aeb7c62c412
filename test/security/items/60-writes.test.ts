import { read, seed, update } from '../../factories';
import { SampleModule } from '../../sample-extension/sample.module';
import { type Reply, startTestApp } from '../../support';
import { openSampleWorld, type SampleWorld } from './sample-world';

let sample: SampleWorld;

beforeAll(async () => {
  sample = await openSampleWorld({
    policies: {
      patterned: [
        read('articles', ['title']),
        update('articles', ['title'], {}, { validation: { title: { _regex: '^(a+)+$' } } }),
      ],
    },
    users: { pat: { policies: ['patterned'] } },
  });
});

afterAll(() => sample.app.close());
afterEach(() => sample.unchanged());

const many = <T>(count: number, each: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => each(index));

describe('60: a write of items that is too large', () => {
  const notes = (count: number) => many(count, () => ({ text: 'x' }));
  const chain = (levels: number): object =>
    many(levels, (level) => level).reduce<object>((parent) => ({ name: 'x', parent }), {
      name: 'x',
    });
  const admin = () => sample.as('admin');

  it.each<[string, () => Promise<Reply>]>([
    [
      '2,501 items',
      () =>
        admin().post(
          '/items/articles',
          many(2_501, () => ({ title: 'x' })),
        ),
    ],
    ['2,501 in a list', () => admin().post('/items/articles', { title: 'x', notes: notes(2_501) })],
    [
      '2,501 under create',
      () => admin().patch('/items/articles/1', { notes: { create: notes(2_501) } }),
    ],
    [
      'lists of lists',
      () =>
        admin().post(
          '/items/articles',
          many(60, () => ({ title: 'x', notes: notes(45) })),
        ),
    ],
    [
      '2,501 tags',
      () => admin().patch('/items/articles/1', { tags: many(2_501, () => ({ name: 'x' })) }),
    ],
    ['7 nested items', () => admin().post('/items/categories', chain(7))],
    ['1,000 nested items', () => admin().post('/items/categories', chain(1_000))],
    [
      '2,501 keys',
      () => admin().patch('/items/articles', { keys: many(2_501, (i) => i), data: {} }),
    ],
    [
      '2,501 keys to delete',
      () =>
        admin().delete(
          '/items/articles',
          many(2_501, (i) => i),
        ),
    ],
    [
      'one item 100 times',
      () =>
        admin().patch(
          '/items/articles',
          many(100, () => ({ id: 1, title: 'X' })),
        ),
    ],
    [
      'over GraphQL, 2,501 in a list',
      () =>
        sample.graphql(
          'admin',
          'mutation ($d: create_articles_input!) { create_articles_item(data: $d) { id } }',
          { d: { title: 'x', notes: notes(2_501) } },
        ),
    ],
  ])('(%s) is refused', async (_, write) => {
    const reply = await write();
    expect([reply.status, reply.codes[0]]).toEqual([400, 'INVALID_PAYLOAD']);
    expect(reply.text.length).toBeLessThan(2_000);
    await sample.unchanged();
  });

  it('(a value for a pattern that takes exponential time elsewhere) is matched in linear time', async () => {
    const reply = await sample
      .as('pat')
      .patch('/items/articles/1', { title: `${'a'.repeat(250)}!` });
    expect(reply.codes).toEqual(['FAILED_VALIDATION']);
  });
});

describe('60: a request for all rows', () => {
  it('gets at most the largest page, in lists of relations too', async () => {
    const app = await startTestApp({
      imports: [SampleModule],
      env: { QUERY_LIMIT_MAX: '3', QUERY_LIMIT_DEFAULT: '2' },
    });
    const world = await seed(app);
    const made = { name: 'c', articles: many(6, () => ({ title: 'x' })) };
    expect((await world.as('admin').post('/items/categories', made)).status).toBe(200);
    const sizeOf = async (query: string): Promise<unknown> => {
      const { data, codes } = await world.as('admin').get(`/items/${query}`);
      return codes[0] ?? (data as unknown as unknown[]).length;
    };
    expect(await sizeOf('articles')).toBe(2);
    expect(await sizeOf('articles?limit=-1')).toBe(3);
    expect(await sizeOf('articles?limit=4')).toBe('INVALID_QUERY');
    expect(await sizeOf('articles?limit=-1&page=2')).toBe(3);
    expect(await sizeOf('articles?aggregate[count]=*&groupBy=id&limit=-1')).toBe(3);
    expect(await sizeOf('articles?aggregate[count]=*&groupBy=id')).toBe(2);
    const lists = async (query: string): Promise<unknown> => {
      const { data, codes } = await world
        .as('admin')
        .get(`/items/categories/1?fields=articles${query}`);
      return codes[0] ?? (data['articles'] as unknown[]).length;
    };
    expect(await lists('')).toBe(2);
    expect(await lists('.id&deep[articles][_limit]=-1')).toBe(3);
    expect(await lists('.id&deep[articles][_limit]=4')).toBe('INVALID_QUERY');
    for (const [query, size] of [
      ['articles { id }', 2],
      ['articles(limit: -1) { id }', 3],
    ] as const) {
      const { data } = await world.as('admin').post('/graphql', { query: `{ ${query} }` });
      expect(data['articles']).toHaveLength(size);
    }
    await app.close();
  });
});
