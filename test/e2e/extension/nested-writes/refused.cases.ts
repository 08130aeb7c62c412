import {
  add,
  addAll,
  by,
  change,
  changeEach,
  failed,
  forbidden,
  malformed,
  missing,
  required,
  type Scenario,
  unlinked,
} from '../../../support/scenarios';

const ed = by('ed', 'articles');
const rae = by('rae', 'articles');
const mel = by('mel', 'articles');
const section = by('ed', 'categories');
const note = by('ed', 'notes');

const title = 'X';
const NOTHING = forbidden(undefined);
const within = (inner: object) =>
  change(2, {
    articles: { update: [{ id: 1, title, notes: { create: [{ text: 'A' }] }, ...inner }] },
  });

const OTHERS = [2, { id: 2 }, { title: 'New' }, { id: 1, title: 'X' }, {}];

/** Rows of article 1's list of notes that name something else than article 1. */
const namesAnother = OTHERS.flatMap((article): [string, unknown][] => {
  const text = 'A';
  const shown = JSON.stringify(article);
  return [
    [`makes a note of ${shown} in the list`, ['<two>', '<one>', { text, article }]],
    [`makes a note of ${shown} under create`, { create: [{ text, article }] }],
    [`keeps a note as one of ${shown}`, ['<two>', { id: '<one>', text, article }]],
    [`attaches a note as one of ${shown}`, ['<two>', '<one>', { id: '<three>', article }]],
    [`attaches one of ${shown} under update`, { update: [{ id: '<three>', text, article }] }],
  ];
});

/** One row that its own rules refuse makes the whole write fail, wherever it is. */
export const refused: Scenario[] = [
  ed(
    'makes a category with a bad name',
    add({ title, category: { name: 'Nowhere' } }),
    failed('name'),
  ),
  ed('gives one a bad name', change(3, { category: { id: 1, name: 'Nowhere' } }), failed('name')),
  ed('updates a locked category', change(3, { category: { id: 3, name: 'Open' } }), NOTHING),
  ed('updates another user', add({ title, owner: { id: '<amy>', first_name: 'A' } }), NOTHING),
  ed('makes a user', add({ title, owner: { first_name: 'A' } }), NOTHING),
  ed(
    'sets a field of the own user without a grant',
    add({ title, owner: { id: '<ed>', title: 'Dr' } }),
    forbidden('title'),
  ),
  ed('makes an empty note', change(3, { notes: [{ text: 'A' }, { text: '' }] }), failed('text')),
  ed(
    'empties a note',
    change(1, { notes: { update: [{ id: '<one>', text: '' }] } }),
    failed('text'),
  ),
  ed(
    'updates another’s note',
    change(1, { notes: { update: [{ id: '<two>', text: 'A' }] } }),
    NOTHING,
  ),
  ed('attaches another’s note', change(2, { notes: { update: ['<two>'] } }), NOTHING),
  ed('drops another’s note', change(1, { notes: { delete: ['<two>'] } }), NOTHING),
  ed('drops it along with all others', change(1, { notes: [] }), NOTHING),
  ed('drops a row of another list', change(1, { notes: { delete: ['<three>'] } }), NOTHING),
  ed('drops from the list of a new row', add({ title, notes: { delete: ['<one>'] } }), NOTHING),
  ed(
    'sets a field of a note without a grant',
    change(3, { notes: [{ text: 'A', author: null }] }),
    forbidden('author'),
  ),
  ed(
    'updates a fixed tag',
    change(1, { tags: { update: [{ id: '<fixed>', name: 'A' }] } }),
    NOTHING,
  ),
  ed('unlinks a tag that is not linked', change(1, { tags: { delete: ['<blue>'] } }), NOTHING),
  ed('makes a tag without a name', change(1, { tags: ['<blue>', {}] }), required('name')),
  ed(
    'makes related rows of a row that fails',
    add({ title: '', category: { name: 'A' }, notes: [{ text: 'A' }] }),
    failed('title'),
  ),
  ed('changes relations of a hidden row', change(4, { category: { name: 'A' } }), NOTHING),
  ed(
    'changes relations of a row that does not exist',
    change(4711, { category: { name: 'A' } }),
    NOTHING,
  ),
  ed(
    'writes one row in two places',
    change(1, { category: { id: 2, name: 'A', articles: [{ id: 1, title }] } }),
    malformed('id'),
  ),
  ed(
    'names a child twice',
    change(1, {
      notes: {
        update: [
          { id: '<one>', text: 'A' },
          { id: '<one>', text: 'B' },
        ],
      },
    }),
    malformed('id'),
  ),
  ed(
    'updates a child and drops it',
    change(1, { notes: { update: [{ id: '<one>', text: 'A' }], delete: ['<one>'] } }),
    malformed('id'),
  ),
  ed(
    'gives one child to two parents',
    changeEach({ id: 2, notes: { update: ['<one>'] } }, { id: 3, notes: ['<one>'] }),
    malformed('id'),
  ),
  ed(
    'gives a child that one parent keeps to another',
    changeEach({ id: 1, notes: { update: ['<one>'] } }, { id: 2, notes: { create: ['<one>'] } }),
    malformed('id'),
  ),
  ed(
    'takes a child from a parent that keeps it',
    changeEach({ id: 2, notes: { create: ['<one>'] } }, { id: 1, notes: ['<one>', '<two>'] }),
    malformed('id'),
  ),
  ed(
    'keeps a child and drops it',
    change(1, { notes: { create: ['<one>'], delete: ['<one>'] } }),
    malformed('id'),
  ),
  ed(
    'keeps a tag and drops it',
    change(1, { tags: { update: [{ id: '<red>' }], delete: ['<red>'] } }),
    malformed('id'),
  ),
  ed(
    'links a tag and drops it',
    change(1, { tags: { create: ['<blue>'], delete: ['<blue>'] } }),
    malformed('id'),
  ),
  ed(
    'keeps a note as one of no article',
    change(1, { notes: ['<two>', { id: '<one>', article: null }] }),
    missing('article'),
  ),
  section(
    'keeps an article as one of no category',
    change(1, { articles: [{ id: 2, category: null }] }),
    malformed('category'),
  ),
  section(
    'attaches one and says that it is in no category',
    change(1, { articles: { update: [{ id: 1, category: null }] } }),
    malformed('category'),
  ),
  ...namesAnother.map(([it, notes]) => ed(it, change(1, { notes }), malformed('article'))),
  ed(
    'names another article in the list of a new one',
    add({ title, notes: [{ text: 'A', article: 2 }] }),
    malformed('article'),
  ),
  rae(
    'names another article for a note that may not be written',
    change(1, { title, notes: [{ text: 'A', article: 2 }] }),
    NOTHING,
  ),
  section('makes a row that exists already', add({ name: 'World', articles: [{ title }, 1] }), {
    refused: 'RECORD_NOT_UNIQUE',
  }),
  section(
    'sends a bad name with good articles',
    add({ name: 'Nowhere', articles: [{ title }] }),
    failed('name'),
  ),
  section(
    'writes a category and a locked parent',
    change(2, { name: 'A', parent: { id: 3, name: 'B' } }),
    NOTHING,
  ),
  section(
    'makes two, one of them with a bad list',
    addAll({ name: 'A', articles: [1] }, { name: 'B', articles: [{ title: '' }] }),
    failed('title'),
  ),
  section(
    'has an empty note two levels deep',
    within({ notes: [{ text: 'A' }, { text: '' }, '<one>', '<two>'] }),
    failed('text'),
  ),
  section(
    'has another’s note two levels deep',
    within({ notes: { update: [{ id: '<two>', text: 'A' }] } }),
    NOTHING,
  ),
  section(
    'has a locked category three levels deep',
    within({ category: { id: 1, parent: { id: 3, name: 'A' } } }),
    NOTHING,
  ),
  section('sets a field without a grant two levels deep', within({ body: 'A' }), forbidden('body')),
  section(
    'sets a field without a grant three levels deep',
    within({ category: { id: 1, articles: { update: [{ id: 3, secret: 'A' }] } } }),
    forbidden('secret'),
  ),
  section(
    'has a hidden article in the list',
    change(2, { articles: { update: [{ id: 4, title }] } }),
    unlinked('articles'),
  ),
  note(
    'nests too deeply',
    add({ text: 'A', article: { title, category: parents(6) } }),
    malformed(undefined),
  ),
  rae('makes a category', change(1, { title, category: { name: 'A' } }), NOTHING),
  rae('updates a category', change(1, { title, category: { id: 2, name: 'A' } }), NOTHING),
  rae('makes a note', change(1, { title, notes: { create: [{ text: 'A' }] } }), NOTHING),
  rae(
    'updates a note',
    change(1, { title, notes: { update: [{ id: '<one>', text: 'A' }] } }),
    NOTHING,
  ),
  rae('attaches a note', change(1, { title, notes: { update: ['<three>'] } }), NOTHING),
  rae('drops a note', change(1, { title, notes: { delete: ['<one>'] } }), NOTHING),
  rae('drops notes by leaving them out', change(1, { title, notes: [] }), NOTHING),
  rae('makes a tag', change(1, { title, tags: { create: [{ name: 'A' }] } }), NOTHING),
  rae(
    'updates a tag',
    change(1, { title, tags: { update: [{ id: '<red>', name: 'A' }] } }),
    NOTHING,
  ),
  rae('updates the owner', change(1, { title, owner: { id: '<ed>', first_name: 'A' } }), NOTHING),
  rae('makes an owner', change(1, { title, owner: { first_name: 'A' } }), NOTHING),
  mel(
    'moves a note that Mel may only reword',
    change(1, { notes: { update: ['<mels>'] } }),
    NOTHING,
  ),
  mel(
    'rewords a note that Mel may only move',
    change(3, { notes: { update: [{ id: '<two>', text: 'A' }] } }),
    NOTHING,
  ),
  mel(
    'makes a note for another’s article',
    change(1, { notes: { create: [{ text: 'A' }] } }),
    NOTHING,
  ),
  by('mel', 'notes')(
    'makes such a note and changes the title of the article',
    add({ text: 'A', article: { id: 1, title } }),
    NOTHING,
  ),
];

function parents(depth: number): object {
  return depth === 0 ? { name: 'A' } : { name: `A${depth}`, parent: parents(depth - 1) };
}
