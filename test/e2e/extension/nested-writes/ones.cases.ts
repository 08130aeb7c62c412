import { add, by, change, changeAll, changeEach, type Scenario } from '../../../support/scenarios';
import { anId, articleChanged, featured } from './fixtures';

const ed = by('ed', 'articles');
const section = by('ed', 'categories');
const note = by('ed', 'notes');

const title = 'X';

const one: Scenario[] = [
  ed('makes a related row by an object', add({ title, category: { name: 'New' } }), {
    changes: {
      categories: { added: [{ name: 'New', parent: null }] },
      articles: { added: [{ title, category: anId, owner: '<ed>', body: 'To be written' }] },
    },
  }),
  ed('attaches by a key', change(3, { category: 1 }), {
    changes: articleChanged(3, { category: 1 }),
  }),
  ed('attaches by a key in digits', change(3, { category: '1' }), {
    changes: articleChanged(3, { category: 1 }),
  }),
  ed('attaches by an object with a key', change(3, { category: { id: 1 } }), {
    changes: articleChanged(3, { category: 1 }),
  }),
  ed('attaches and updates by an object', change(3, { category: { id: 1, name: 'Globe' } }), {
    changes: {
      ...articleChanged(3, { category: 1 }),
      categories: { changed: { 1: { name: 'Globe' } } },
    },
  }),
  ed('updates the attached row', change(1, { category: { id: 2, name: 'EU' } }), {
    changes: { ...articleChanged(1), categories: { changed: { 2: { name: 'EU' } } } },
  }),
  ed('detaches by null', change(1, { category: null }), {
    changes: articleChanged(1, { category: null }),
  }),
  ed('attaches all to the same', changeAll([1, 3], { category: 1 }), {
    changes: {
      articles: { changed: { 1: { category: 1, featured }, 3: { category: 1, featured } } },
    },
  }),
  ed(
    'attaches each to its own new row',
    changeEach({ id: 1, category: { name: 'A' } }, { id: 2, category: { name: 'B' } }),
    {
      changes: {
        categories: { added: [{ name: 'A' }, { name: 'B' }] },
        articles: { changed: { 1: { category: anId, featured }, 2: { category: anId, featured } } },
      },
    },
  ),
  ed('sends another value than the preset', add({ title, owner: '<amy>' }), {
    changes: { articles: { added: [{ title, owner: '<amy>' }] } },
  }),
  ed('sends null instead of the preset', add({ title, owner: null }), {
    changes: { articles: { added: [{ title, owner: null }] } },
  }),
  ed('updates a row of the service', add({ title, owner: { id: '<ed>', first_name: 'Eddie' } }), {
    changes: {
      articles: { added: [{ title, owner: '<ed>' }] },
      service_users: { changed: { '<ed>': { first_name: 'Eddie' } } },
    },
  }),
];

const self: Scenario[] = [
  section('makes a parent in the same collection', change(2, { parent: { name: 'Top' } }), {
    changes: {
      categories: { added: [{ name: 'Top', parent: null }], changed: { 2: { parent: anId } } },
    },
  }),
  section('updates the parent', change(2, { name: 'EU', parent: { id: 1, name: 'Globe' } }), {
    changes: { categories: { changed: { 1: { name: 'Globe' }, 2: { name: 'EU' } } } },
  }),
  section('detaches from the parent', change(2, { parent: null }), {
    changes: { categories: { changed: { 2: { parent: null } } } },
  }),
  section('moves below its own child', change(1, { parent: { id: 2 } }), {
    refused: 'CATEGORY_CIRCLE',
  }),
  section('moves into itself', change(2, { parent: { id: 2 } }), { refused: 'CATEGORY_CIRCLE' }),
];

const deep: Scenario[] = [
  ed(
    'makes parents three levels deep',
    add({ title, category: { name: 'C', parent: { name: 'B', parent: { name: 'A' } } } }),
    {
      query: { fields: ['category.name', 'category.parent.name', 'category.parent.parent.name'] },
      gives: { category: { name: 'C', parent: { name: 'B', parent: { name: 'A' } } } },
    },
  ),
  section(
    'makes lists three levels deep',
    add({
      name: 'C',
      articles: [
        { title, notes: [{ text: 'A' }], tags: [{ name: 'new' }, '<red>'] },
        { id: 3, title },
      ],
    }),
    {
      query: { fields: ['name', 'articles.title', 'articles.notes.text', 'articles.tags.name'] },
      changes: {
        categories: { added: [{ name: 'C' }] },
        articles: {
          added: [{ title, category: anId, owner: '<ed>' }],
          changed: { 3: { title, category: anId, featured } },
        },
        notes: { added: [{ text: 'A', author: '<ed>' }] },
        tags: { added: [{ name: 'new' }] },
        articles_tags: { added: [{ tags_id: '<red>' }, {}] },
      },
    },
  ),
  section(
    'changes lists three levels deep',
    change(2, {
      articles: {
        update: [
          {
            id: 1,
            notes: { update: [{ id: '<one>', text: 'U' }], create: [{ text: 'A' }] },
            tags: { update: [{ id: '<red>', name: 'rot' }] },
          },
        ],
      },
    }),
    {
      changes: {
        ...articleChanged(1),
        notes: { changed: { '<one>': { text: 'U' } }, added: [{ text: 'A', article: 1 }] },
        tags: { changed: { '<red>': { name: 'rot' } } },
      },
    },
  ),
  note(
    'follows relations up and down again',
    add({ text: 'A', article: { title, category: { id: 1, articles: [{ title: 'Y' }, 2] } } }),
    {
      changes: {
        articles: {
          added: [
            { title, category: 1 },
            { title: 'Y', category: 1 },
          ],
        },
        notes: { added: [{ text: 'A', article: anId }] },
      },
    },
  ),
];

export const ones: Scenario[] = [...one, ...self, ...deep];
