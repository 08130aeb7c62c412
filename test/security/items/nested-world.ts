import { type SeedData, create, read, remove, update, withTables } from '../../factories';
import { openSampleWorld, type SampleWorld, TABLES } from './sample-world';

const ME = '$CURRENT_USER';
const MINE = { owner: { _eq: ME } } as const;
const MY_NOTES = { author: { _eq: ME } } as const;
const OPEN = { category: { name: { _in: ['World', 'Europe'] } } } as const;
const NO_VAULT = { name: { _neq: 'Vault' } } as const;
const WHOLE = { body: { _nnull: true }, qty: { _gte: 1 } } as const;

const SEES_ALL = [
  read('articles', ['*']),
  read('categories', ['*']),
  read('notes', ['*']),
  read('tags', ['name']),
  read('service_users', ['first_name']),
];

/**
 * In addition to the users of the sample world: Dora edits the categories World and Europe and the articles in them;
 * which rows she reaches depends on relations. Sig may set the owner, but only to Sig. Chuck’s rules demand complete
 * rows.
 */
const SEED: SeedData = {
  policies: {
    editing: [
      ...SEES_ALL,
      update('articles', ['title', 'category', 'notes', 'tags'], OPEN, { validation: OPEN }),
      remove('articles', OPEN),
      create('categories', ['name', 'parent', 'articles'], NO_VAULT),
      update('categories', ['name', 'parent', 'articles'], NO_VAULT, { validation: NO_VAULT }),
      create('notes', ['text', 'article'], {}, { presets: { author: ME } }),
      update('notes', ['text', 'article'], MY_NOTES),
      remove('notes', MY_NOTES),
    ],
    signing: [
      ...SEES_ALL,
      create(
        'articles',
        ['title', 'owner', 'category'],
        {},
        { presets: { owner: ME }, validation: MINE },
      ),
      create('categories', ['name', 'articles']),
    ],
    completing: [
      ...SEES_ALL,
      create(
        'articles',
        ['title', 'body', 'qty', 'notes'],
        {},
        { validation: WHOLE, presets: { owner: ME, status: 'published', price: '5.00' } },
      ),
      update('articles', ['title', 'body', 'qty', 'notes'], MINE, {
        validation: { ...WHOLE, status: { _eq: 'published' } },
        presets: { secret: 'preset' },
      }),
      create(
        'notes',
        ['text', 'article'],
        {},
        { validation: { ...MY_NOTES, text: { _nempty: true } }, presets: { author: ME } },
      ),
      update(
        'notes',
        ['text', 'author', 'article'],
        {},
        { validation: { author: { _nnull: true }, text: { _nempty: true } } },
      ),
    ],
  },
  users: {
    dora: { policies: ['editing'] },
    sig: { policies: ['signing'] },
    chuck: { policies: ['completing'] },
  },
};

/**
 * The sample world with two articles of Chuck: 6, which is complete, and 7, which has no quantity. Notes: Dora’s
 * `<desk>` and Amy’s `<amys>` on 5, Dora’s `<vaulted>` on 2, Chuck’s `<kept>` and `<loose>`, which has no author, on 6.
 */
export async function openNestedWorld(): Promise<SampleWorld> {
  const sample = await openSampleWorld(SEED);
  const whole = { owner: '<chuck>', status: 'published', body: 'Whole' };
  const articles = [
    { ...whole, title: 'Whole', qty: 2 },
    { ...whole, title: 'Part' },
  ];
  const notes = {
    desk: { article: 5, author: '<dora>', text: 'On the desk' },
    amys: { article: 5, author: '<amy>', text: 'From Amy' },
    vaulted: { article: 2, author: '<dora>', text: 'In the vault' },
    kept: { article: 6, author: '<chuck>', text: 'Kept' },
    loose: { article: 6, text: 'Loose' },
  };
  await make(sample, 'articles', articles);
  const ids = await make(sample, 'notes', Object.values(notes));
  for (const [index, name] of Object.keys(notes).entries()) sample.name(name, ids[index] ?? '');
  return withTables(sample, TABLES);
}

async function make(sample: SampleWorld, collection: string, rows: object[]): Promise<string[]> {
  const path = `/items/${collection}?fields=id`;
  const reply = await sample.as('admin').post(path, sample.fill(rows));
  if (reply.status !== 200) throw new Error(`${collection}: ${reply.text}`);
  return (reply.data as unknown as { id: string }[]).map(({ id }) => id);
}
