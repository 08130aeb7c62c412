import { create, read, remove, seed, update, type World } from '../../factories';
import { SampleModule } from '../../sample-extension/sample.module';
import { startTestApp } from '../../support';

const MINE = { owner: { _eq: '$CURRENT_USER' } } as const;

/** Ann writes and sees all her own articles, and the published ones of others; Bob may only read these. */
const SEED = {
  policies: {
    readers: [
      read('articles', ['title', 'status', 'category', 'tags', 'owner', 'published_at', 'qty'], {
        status: { _eq: 'published' },
      }),
      read('categories', ['name', 'parent']),
      read('tags', ['name']),
      read('service_users', ['first_name']),
      read('site', ['name']),
    ],
    writers: [
      read('articles', ['*'], MINE),
      create(
        'articles',
        ['title', 'body', 'status', 'price', 'category', 'tags', 'notes', 'featured'],
        {},
        { presets: { owner: '$CURRENT_USER' } },
      ),
      update('articles', ['title', 'body', 'status', 'published_at', 'tags'], MINE),
      remove('articles', MINE),
      read('notes', ['text', 'article', 'author'], { author: { _eq: '$CURRENT_USER' } }),
      create('notes', ['text', 'article'], {}, { presets: { author: '$CURRENT_USER' } }),
    ],
  },
  users: {
    ann: { policies: ['readers', 'writers'], first_name: 'Ann' },
    bob: { policies: ['readers'], first_name: 'Bob' },
    eve: {},
  },
};

export interface Newsroom extends World {
  readonly tags: readonly string[];
}

/** The sample extension with people and articles, numbered as they are made. */
export async function openNewsroom(): Promise<Newsroom> {
  const world = await seed(await startTestApp({ imports: [SampleModule] }), SEED);
  const make = async (path: string, body: object): Promise<string[]> => {
    const reply = await world.as('admin').post(`${path}?fields=id`, world.fill(body));
    if (reply.status !== 200) throw new Error(`${path}: ${reply.text}`);
    return (reply.data as unknown as { id: string }[]).map(({ id }) => id);
  };
  await make('/items/categories', [{ name: 'World' }, { name: 'Europe', parent: 1 }]);
  const tags = await make('/items/tags', [{ name: 'red' }, { name: 'blue' }]);
  await make('/items/articles', articles(tags));
  return { ...world, tags };
}

const articles = ([red, blue]: readonly string[]): object[] => [
  {
    ...{ title: 'Rivers', body: 'They flow.', status: 'published', owner: '<ann>' },
    ...{ category: 2, tags: [red, blue], qty: 3, price: '12.50', rating: 4.5, featured: true },
    ...{ published_at: '2024-02-29T12:00:00Z', metadata: { words: 2 }, secret: 's1' },
    notes: [
      { text: 'Check the names', author: '<ann>' },
      { text: 'Fine', author: '<bob>' },
    ],
  },
  { title: 'Drafted', owner: '<ann>', category: 1, qty: -1, price: '0.05', secret: 's2' },
  {
    ...{ title: 'Hills', status: 'published', owner: '<bob>', tags: [blue], rating: 1e-7 },
    ...{ published_at: '2023-01-01T00:00:00Z', qty: 2147483647, secret: 's3' },
  },
  { title: 'Nobody’s', category: 2, metadata: [1, 'two', null], secret: 's4' },
];
