import { add, addAll, by, change, type Scenario } from '../../../support/scenarios';
import { anId, articleChanged, featured } from './fixtures';

const ed = by('ed', 'articles');
const section = by('ed', 'categories');
const rae = by('rae', 'articles');
const mel = by('mel', 'articles');
const pat = by('pat', 'articles');
const admin = by('admin', 'articles');

const NEW_ID = 'eeeeeeee-eeee-4eee-8eee-eeeeeeeeeeee';
const title = 'X';

const list: Scenario[] = [
  ed('makes rows by objects', add({ title, notes: [{ text: 'A' }, { text: 'B' }] }), {
    changes: {
      articles: { added: [{ title }] },
      notes: {
        added: [
          { text: 'A', author: '<ed>', article: anId },
          { text: 'B', author: '<ed>', article: anId },
        ],
      },
    },
  }),
  ed('replaces the visible rows of a list', change(1, { notes: ['<two>', { text: 'New' }] }), {
    changes: {
      ...articleChanged(1),
      notes: { removed: [{ id: '<one>' }], added: [{ text: 'New', article: 1 }] },
    },
  }),
  ed('leaves the list as it is', change(1, { notes: ['<one>', { id: '<two>' }] }), {
    changes: articleChanged(1),
  }),
  ed(
    'keeps a row that is sent as an object with its key',
    change(1, { notes: ['<two>', { id: '<one>', text: 'U' }] }),
    {
      changes: { ...articleChanged(1), notes: { changed: { '<one>': { text: 'U' } } } },
    },
  ),
  ...[1, '1', { id: 1 }].map((article) => ({
    ...ed(
      `sends back what was read, with the article as ${JSON.stringify(article)}`,
      change(1, {
        notes: [
          { id: '<one>', text: 'One', article },
          { id: '<three>', article },
          { text: 'New', article },
          '<two>',
        ],
      }),
      {
        changes: {
          ...articleChanged(1),
          notes: {
            changed: { '<three>': { article: 1 } },
            added: [{ text: 'New', article: 1 }],
          },
        },
      },
    ),
    restOnly: 'a key is a text there',
  })),
  ed('empties a list without visible rows', change(3, { notes: [] }), {
    changes: articleChanged(3),
  }),
  ed('sends an empty object for a list', change(1, { notes: {} }), { changes: articleChanged(1) }),
  ed(
    'sends three empty lists for it',
    change(1, { notes: { create: [], update: [], delete: [] } }),
    {
      changes: articleChanged(1),
    },
  ),
  ed('attaches a row of another parent', change(1, { notes: { update: ['<three>'] } }), {
    changes: { ...articleChanged(1), notes: { changed: { '<three>': { article: 1 } } } },
  }),
  ed('attaches by a key under create', change(1, { notes: { create: ['<three>'] } }), {
    changes: { ...articleChanged(1), notes: { changed: { '<three>': { article: 1 } } } },
  }),
  ed('attaches and updates', change(1, { notes: { update: [{ id: '<three>', text: 'U' }] } }), {
    changes: { ...articleChanged(1), notes: { changed: { '<three>': { article: 1, text: 'U' } } } },
  }),
  ed(
    'attaches and names the article',
    change(1, {
      notes: { create: [{ text: 'A', article: 1 }], update: [{ id: '<three>', article: 1 }] },
    }),
    {
      changes: {
        ...articleChanged(1),
        notes: { added: [{ text: 'A', article: 1 }], changed: { '<three>': { article: 1 } } },
      },
    },
  ),
  ed(
    'attaches rows to the new row',
    add({ title, notes: ['<three>', { id: '<one>', text: 'U' }] }),
    {
      changes: {
        articles: { added: [{ title }] },
        notes: { changed: { '<three>': { article: anId }, '<one>': { article: anId, text: 'U' } } },
      },
    },
  ),
  ed(
    'makes, updates and drops at once',
    change(2, {
      notes: {
        create: [{ text: 'New' }],
        update: [{ id: '<one>', text: 'U' }],
        delete: ['<three>'],
      },
    }),
    {
      changes: {
        ...articleChanged(2),
        notes: {
          added: [{ text: 'New', article: 2, author: '<ed>' }],
          changed: { '<one>': { text: 'U', article: 2 } },
          removed: [{ id: '<three>' }],
        },
      },
    },
  ),
  ed(
    'moves a row to another list by updating it',
    change(1, { notes: { update: [{ id: '<one>', article: 3 }] } }),
    {
      changes: { ...articleChanged(1), notes: { changed: { '<one>': { article: 3 } } } },
    },
  ),
  mel('moves a note of Amy’s', change(3, { notes: { update: ['<two>'] } }), {
    changes: { notes: { changed: { '<two>': { article: 3 } } } },
  }),
  mel(
    'makes a note for an article that becomes Mel’s',
    add({ title, notes: [{ text: 'A' }, '<two>'] }),
    {
      changes: {
        articles: { added: [{ title, owner: '<mel>' }] },
        notes: { added: [{ text: 'A', article: anId }], changed: { '<two>': { article: anId } } },
      },
    },
  ),
  section('unlinks a row whose reference may be null', change(1, { articles: [] }), {
    changes: articleChanged(2, { category: null }),
  }),
  section('unlinks one', change(1, { articles: { delete: [2] } }), {
    changes: articleChanged(2, { category: null }),
  }),
  section('unlinks one, links another, makes a third', change(1, { articles: [1, { title }] }), {
    changes: {
      articles: {
        added: [{ title, category: 1, owner: '<ed>' }],
        changed: { 1: { category: 1, featured }, 2: { category: null, featured } },
      },
    },
  }),
  section(
    'makes two with lists',
    addAll({ name: 'A', articles: [1] }, { name: 'B', articles: [{ title }] }),
    {
      changes: {
        categories: { added: [{ name: 'A' }, { name: 'B' }] },
        articles: {
          added: [{ title, category: anId }],
          changed: { 1: { category: anId, featured } },
        },
      },
    },
  ),
  admin(
    'makes a row with a chosen key',
    change(3, { notes: { create: [{ id: NEW_ID, text: 'A' }] } }),
    {
      changes: { notes: { added: [{ id: NEW_ID, text: 'A', article: 3 }] } },
    },
  ),
  by('admin', 'categories')(
    'makes a row and its list with a chosen key that both name',
    add({ id: 99, name: 'A', articles: [{ title, category: 99 }] }),
    {
      changes: {
        categories: { added: [{ id: 99, name: 'A' }] },
        articles: { added: [{ title, category: 99 }] },
      },
    },
  ),
  admin(
    'makes no row with a key that is taken',
    change(3, { notes: { create: [{ id: '<one>', text: 'A' }] } }),
    { refused: 'RECORD_NOT_UNIQUE' },
  ),
];

const many: Scenario[] = [
  ed('links by keys', add({ title, tags: ['<red>', '<blue>'] }), {
    changes: {
      articles: { added: [{ title }] },
      articles_tags: { added: [{ tags_id: '<red>' }, { tags_id: '<blue>' }] },
    },
  }),
  ed('links and makes', change(3, { tags: ['<red>', { name: 'new' }] }), {
    changes: {
      ...articleChanged(3),
      tags: { added: [{ name: 'new' }] },
      articles_tags: {
        added: [
          { articles_id: 3, tags_id: '<red>' },
          { articles_id: 3, tags_id: expect.any(String) as unknown },
        ],
      },
    },
  }),
  ed('replaces the visible links', change(1, { tags: ['<blue>'] }), {
    changes: {
      ...articleChanged(1),
      articles_tags: {
        removed: [{ articles_id: 1, tags_id: '<red>' }],
        added: [{ articles_id: 1, tags_id: '<blue>' }],
      },
    },
  }),
  ed('unlinks all visible rows', change(1, { tags: [] }), {
    changes: { ...articleChanged(1), articles_tags: { removed: [{ tags_id: '<red>' }] } },
  }),
  ed('unlinks one', change(1, { tags: { delete: ['<red>'] } }), {
    changes: { ...articleChanged(1), articles_tags: { removed: [{ tags_id: '<red>' }] } },
  }),
  ed('updates a linked row', change(1, { tags: { update: [{ id: '<red>', name: 'rot' }] } }), {
    changes: { ...articleChanged(1), tags: { changed: { '<red>': { name: 'rot' } } } },
  }),
  ed('links and updates', change(1, { tags: { update: [{ id: '<blue>', name: 'blau' }] } }), {
    changes: {
      ...articleChanged(1),
      tags: { changed: { '<blue>': { name: 'blau' } } },
      articles_tags: { added: [{ articles_id: 1, tags_id: '<blue>' }] },
    },
  }),
  ed('keeps an existing link', change(1, { tags: { create: ['<red>'] } }), {
    changes: articleChanged(1),
  }),
  ed(
    'makes, links, updates and unlinks at once',
    change(1, {
      tags: {
        create: [{ name: 'new' }],
        update: [{ id: '<blue>', name: 'blau' }],
        delete: ['<red>'],
      },
    }),
    {
      changes: {
        ...articleChanged(1),
        tags: { added: [{ name: 'new' }], changed: { '<blue>': { name: 'blau' } } },
        articles_tags: {
          added: [{ articles_id: 1 }, { articles_id: 1, tags_id: '<blue>' }],
          removed: [{ tags_id: '<red>' }],
        },
      },
    },
  ),
  rae('links without a right to the tag', change(1, { tags: ['<fixed>'] }), {
    changes: {
      articles_tags: {
        added: [{ articles_id: 1, tags_id: '<fixed>' }],
        removed: [{ tags_id: '<red>' }, { tags_id: '<hush>' }],
      },
    },
  }),
  pat('makes a tag from a key alone', add({ title, tags: { create: [{ id: NEW_ID }] } }), {
    query: { fields: ['tags.name'] },
    gives: { tags: [{ name: 'by preset' }] },
    changes: {
      articles: { added: [{ title }] },
      tags: { added: [{ id: NEW_ID, name: 'by preset' }] },
      articles_tags: { added: [{ tags_id: NEW_ID }] },
    },
  }),
];

export const lists: Scenario[] = [...list, ...many];
