import {
  type SeedData,
  create,
  OWN_USER,
  read,
  remove,
  seed,
  update,
  withTables,
  type World,
} from '../../../factories';
import { startTestApp } from '../../../support';
import { SampleModule } from '../../../sample-extension/sample.module';

const ME = '$CURRENT_USER';
const MINE = { author: { _eq: ME } } as const;
const NAMED = { first_name: { _nnull: true } } as const;
const TITLED = { title: { _nempty: true } } as const;

/** What Ed’s rule presets in every update of an article. */
export const featured = true;

/**
 * Ed writes articles and related rows of all collections, each with its own rules; in every collection there is a row
 * that Ed cannot see, and one that Ed may not write. Rae may write articles and their relations, but no related row.
 * Pat may create tags by an id alone. Kim creates tags and notes with keys that Kim chooses. Mel may reword Mel’s notes
 * and move Amy’s, and creates notes for Mel’s articles.
 */
const SEED: SeedData = {
  policies: {
    editing: [
      read('articles', ['*'], { status: { _neq: 'archived' } }),
      create(
        'articles',
        ['title', 'owner', 'category', 'tags', 'notes'],
        {},
        {
          validation: TITLED,
          presets: { owner: ME, body: 'To be written' },
        },
      ),
      update(
        'articles',
        ['title', 'category', 'tags', 'notes'],
        { status: { _neq: 'archived' } },
        { validation: TITLED, presets: { featured } },
      ),
      read('categories', ['*'], { name: { _neq: 'Vault' } }),
      create(
        'categories',
        ['name', 'parent', 'articles'],
        {},
        {
          validation: { name: { _nstarts_with: 'No' } },
        },
      ),
      update(
        'categories',
        ['name', 'parent', 'articles'],
        { name: { _neq: 'Locked' } },
        {
          validation: { name: { _nstarts_with: 'No' } },
        },
      ),
      read('tags', ['name'], { name: { _neq: 'hush' } }),
      create('tags', ['name']),
      update('tags', ['name'], { name: { _neq: 'fixed' } }),
      read('notes', ['*'], { text: { _neq: 'Hidden' } }),
      create(
        'notes',
        ['text', 'article'],
        {},
        {
          validation: { text: { _nempty: true } },
          presets: { author: ME },
        },
      ),
      update('notes', ['text', 'article'], MINE, { validation: { text: { _nempty: true } } }),
      remove('notes', MINE),
      read('service_users', ['first_name'], NAMED),
      update('service_users', ['first_name'], OWN_USER),
    ],
    relating: [
      read('articles', ['*']),
      create('articles', ['title', 'owner', 'category', 'tags', 'notes']),
      update('articles', ['title', 'owner', 'category', 'tags', 'notes']),
      read('categories', ['*']),
      read('tags', ['*']),
      read('notes', ['*']),
      read('service_users', ['first_name']),
    ],
    mixing: [
      read('articles', ['*']),
      create('articles', ['title', 'notes'], {}, { presets: { owner: ME } }),
      update('articles', ['title', 'notes']),
      read('notes', ['*']),
      read('categories', ['*']),
      create('notes', ['text', 'article'], { article: { owner: { _eq: ME } } }),
      update('notes', ['text'], MINE),
      update('notes', ['article'], { author: { first_name: { _eq: 'Amy' } } }),
      read('service_users', ['first_name']),
    ],
    keying: [
      read('articles', ['*']),
      create('articles', ['title', 'tags', 'notes']),
      update('articles', ['tags']),
      read('tags', ['*'], { name: { _neq: 'hush' } }),
      create('tags', ['id', 'name'], {}, { validation: { name: { _neq: 'bad' } } }),
      update('tags', ['name']),
      create('notes', ['id', 'text', 'article']),
      read('notes', ['*']),
      read('categories', ['*']),
      read('service_users', ['first_name']),
    ],
    naming: [
      read('articles', ['*']),
      create('articles', ['title', 'tags']),
      read('tags', ['*']),
      create('tags', ['id'], {}, { presets: { name: 'by preset' } }),
    ],
  },
  users: {
    kim: { policies: ['keying'] },
    ed: { policies: ['editing'], first_name: 'Ed' },
    rae: { policies: ['relating'], first_name: 'Rae' },
    pat: { policies: ['naming'], first_name: 'Pat' },
    mel: { policies: ['mixing'], first_name: 'Mel' },
    amy: { first_name: 'Amy' },
    ghost: {},
  },
};

export const articleChanged = (id: number, cells: object = {}) => ({
  articles: { changed: { [id]: { ...cells, featured } } },
});
export const anId: unknown = expect.any(Number);

const TABLES = ['categories', 'tags', 'articles', 'articles_tags', 'notes'];

const NOTES = {
  one: { article: 1, author: '<ed>', text: 'One' },
  two: { article: 1, author: '<amy>', text: 'Two' },
  three: { article: 2, author: '<ed>', text: 'Three' },
  mels: { article: 2, author: '<mel>', text: 'Mel’s' },
  veiled: { article: 1, author: '<ed>', text: 'Hidden' },
  hidden: { article: 3, author: '<amy>', text: 'Hidden' },
};

/**
 * Categories: 1 World, 2 Europe below it, 3 Locked, 4 Vault. Articles: 1 in Europe with the tags `<red>` and the hidden
 * `<hush>`, 2 in World, 3 in no category, 4 in World and hidden.
 */
export async function openNested(): Promise<World> {
  const world = await seed(await startTestApp({ imports: [SampleModule] }), SEED);
  const make = async (collection: string, rows: object[], names: string[] = []): Promise<void> => {
    const path = `/items/${collection}?fields=id`;
    const reply = await world.as('admin').post(path, world.fill(rows));
    if (reply.status !== 200) throw new Error(`${collection}: ${reply.text}`);
    const ids = (reply.data as unknown as { id: string }[]).map(({ id }) => id);
    for (const [index, name] of names.entries()) world.name(name, ids[index] ?? '');
  };
  const categories = [{ name: 'World' }, { name: 'Europe', parent: 1 }];
  await make('categories', [...categories, { name: 'Locked' }, { name: 'Vault' }]);
  const tags = ['red', 'blue', 'fixed', 'hush'];
  await make(
    'tags',
    tags.map((name) => ({ name })),
    tags,
  );
  await make('articles', [
    { title: 'Rivers', category: 2, owner: '<ed>', tags: ['<red>', '<hush>'] },
    { title: 'Hills', category: 1 },
    { title: 'Seas' },
    { title: 'Old', category: 1, status: 'archived' },
  ]);
  await make('notes', Object.values(NOTES), Object.keys(NOTES));
  return withTables(world, TABLES);
}
