import { isDeepStrictEqual } from 'node:util';
import {
  type SeedData,
  create,
  read,
  remove,
  seed,
  update,
  withTables,
  type World,
} from '../../factories';
import { SampleModule } from '../../sample-extension/sample.module';
import { asRestReply, type Reply, startTestApp } from '../../support';

const MINE = { owner: { _eq: '$CURRENT_USER' } } as const;
const PUBLISHED = { status: { _eq: 'published' } } as const;

/**
 * The spy sees published articles, and the price only of their own; all categories and tags but one, and parts of
 * notes; the first names of users, and the title of their own row. Pia writes her own articles.
 */
const SEED: SeedData = {
  policies: {
    seeing: [
      read('articles', ['title', 'status', 'owner', 'category', 'tags', 'notes'], PUBLISHED),
      read('articles', ['price', 'published_at', 'metadata'], MINE),
      read('categories', ['name', 'parent'], { name: { _neq: 'Vault' } }),
      read('tags', ['name'], { name: { _neq: 'hush' } }),
      read('notes', ['article', 'author']),
      read('notes', ['text'], { author: { _eq: '$CURRENT_USER' } }),
      read('service_users', ['first_name']),
      read('service_users', ['title'], { id: { _eq: '$CURRENT_USER' } }),
    ],
    writing: [
      read('articles', ['*'], MINE),
      create(
        'articles',
        ['title', 'status', 'category', 'tags', 'notes', 'price'],
        { ...MINE, status: { _neq: 'archived' } },
        { presets: { owner: '$CURRENT_USER' }, validation: { title: { _nempty: true } } },
      ),
      update('articles', ['title', 'status', 'owner', 'category', 'tags', 'notes'], MINE, {
        validation: { ...MINE, title: { _nempty: true } },
      }),
      remove('articles', MINE),
      read('categories', ['name'], { name: { _neq: 'Vault' } }),
      read('tags', ['name'], { name: { _neq: 'hush' } }),
      read('notes', ['text', 'article', 'author']),
      create('notes', ['text', 'article'], {}, { presets: { author: '$CURRENT_USER' } }),
      update('notes', ['text'], { author: { _eq: '$CURRENT_USER' } }),
      read('service_users', ['first_name']),
    ],
  },
  users: {
    spy: { policies: ['seeing'], first_name: 'Mata', title: 'Dr' },
    pia: { policies: ['writing'], first_name: 'Pia', last_name: 'Pen' },
    amy: { first_name: 'Amy', last_name: 'Birch', title: 'Captain', location: 'Port' },
    eve: {},
  },
};

export const TABLES = ['categories', 'tags', 'articles', 'articles_tags', 'notes', 'site'];
/** The names of the notes in scenarios, such as `<jotted>`. */
const NOTES = ['seen', 'whispered', 'jotted', 'answered', 'elsewhere'];

export interface SampleWorld extends World {
  readonly tags: Readonly<Record<'red' | 'blue' | 'hush', string>>;
  readonly notes: readonly string[];
  /** Every row of the sample's tables, read by SQL. */
  items(): Promise<unknown>;
  /** Expects that no row has changed. */
  unchanged(): Promise<void>;
  graphql(caller: string | null, query: string, variables?: object): Promise<Reply>;
}

/**
 * Articles: 1 the spy’s, 2 Amy’s, 3 Amy’s draft, 4 Pia’s, 5 Pia’s draft. Categories: 1 World, 2 Europe in it, 3 Vault.
 * Notes: `<seen>` and `<whispered>` on article 1, Pia’s `<jotted>` and Amy’s `<answered>` on 4, `<elsewhere>` on 2.
 * @param more users and policies of the test
 */
export async function openSampleWorld(more: SeedData = {}): Promise<SampleWorld> {
  const world = await seed(await startTestApp({ imports: [SampleModule] }), {
    policies: { ...SEED.policies, ...more.policies },
    users: { ...SEED.users, ...more.users },
  });
  const make = async (path: string, body: object[]): Promise<string[]> => {
    const reply = await world.as('admin').post(`${path}?fields=id`, world.fill(body));
    if (reply.status !== 200) throw new Error(`${path}: ${reply.text}`);
    return (reply.data as unknown as { id: string }[]).map(({ id }) => id);
  };
  await make('/items/categories', [
    { name: 'World' },
    { name: 'Europe', parent: 1 },
    { name: 'Vault' },
  ]);
  const [red = '', blue = '', hush = ''] = await make(
    '/items/tags',
    ['red', 'blue', 'hush'].map((name) => ({ name })),
  );
  for (const [name, id] of Object.entries({ red, blue, hush })) world.name(name, id);
  await make('/items/articles', articles({ red, hush }));
  const notes = await make('/items/notes', [
    { article: 1, author: '<spy>', text: 'Seen' },
    { article: 1, author: '<amy>', text: 'Whispered' },
    { article: 4, author: '<pia>', text: 'Jotted' },
    { article: 4, author: '<amy>', text: 'Answered' },
    { article: 2, author: '<amy>', text: 'Elsewhere' },
  ]);
  for (const [index, id] of notes.entries()) world.name(NOTES[index] ?? '', id);
  const items = () => rowsOf(world);
  const start = await items();
  return {
    ...(await withTables(world, TABLES)),
    tags: { red, blue, hush },
    notes,
    items,
    unchanged: async () => {
      const now = await items();
      if (!isDeepStrictEqual(now, start)) expect(now).toEqual(start);
    },
    graphql: async (caller, query, variables = {}) =>
      asRestReply(await world.as(caller).post('/graphql', { query, variables })),
  };
}

async function rowsOf({ app }: World): Promise<unknown> {
  const columns = TABLES.map(
    (name) =>
      `(SELECT coalesce(jsonb_agg(to_jsonb(t) ORDER BY to_jsonb(t)::text), '[]') FROM ${name} t) AS ${name}`,
  );
  return (await app.database.query(`SELECT ${columns.join(', ')}`))[0];
}

const articles = ({ red, hush }: { red: string; hush: string }): object[] => [
  {
    ...{ title: 'Rivers', status: 'published', owner: '<spy>', category: 2, tags: [red] },
    ...{ price: '1.00', secret: 'mine', body: 'Mine', qty: 1 },
  },
  {
    ...{ title: 'Hills', status: 'published', owner: '<amy>', category: 3, tags: [red, hush] },
    ...{ price: '7.77', secret: 'xyzzy', body: 'Plugh', qty: 7, metadata: { a: 1 } },
    published_at: '2021-05-05T00:00:00Z',
  },
  { title: 'Drafted', owner: '<amy>', category: 1, secret: 'frobozz', price: '9.99' },
  { title: 'Seas', status: 'published', owner: '<pia>', tags: [red, hush], price: '3.00' },
  { title: 'Sketch', owner: '<pia>', category: 1 },
];
