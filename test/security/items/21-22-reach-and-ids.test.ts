import {
  add,
  by,
  change,
  changeAll,
  changeEach,
  changeWhere,
  failed,
  forbidden,
  malformed,
  numbered,
  playIn,
  type Scenario,
} from '../../support/scenarios';
import { openNestedWorld } from './nested-world';

const pia = by('pia', 'articles');
const dora = by('dora', 'articles');
const section = by('dora', 'categories');
const note = by('dora', 'notes');

const leaving: Scenario[] = [
  pia('gives an article away', change(4, { owner: '<amy>' }), failed('owner')),
  pia('gives it up', change(4, { owner: null }), failed('owner')),
  pia('gives it away as an object', change(4, { owner: { id: '<amy>' } }), failed('owner')),
  pia('gives some away', changeAll([4, 5], { owner: '<amy>' }), failed('owner')),
  pia('gives all away', changeWhere({ filter: {} }, { owner: '<amy>' }), failed('owner')),
  pia(
    'gives one of two away',
    changeEach({ id: 5, owner: '<pia>' }, { id: 4, owner: '<amy>' }),
    failed('owner'),
  ),
  pia('gives it to herself', change(4, { owner: '<pia>' }), { changes: {} }),
  dora('moves an article where she reaches nothing', change(3, { category: 3 }), failed(undefined)),
  dora('takes it out of every category', change(3, { category: null }), failed(undefined)),
  dora(
    'moves it into a category that she makes',
    change(3, { category: { name: 'Side' } }),
    failed(undefined),
  ),
  dora(
    'renames its category, so that she reaches it no more',
    change(3, { category: { id: 1, name: 'Side' } }),
    failed(undefined),
  ),
  dora('moves it within her reach', change(3, { category: 2 }), {
    changes: { articles: { changed: { 3: { category: 2 } } } },
  }),
];

const throughAChild: Scenario[] = [
  note(
    'moves the article of a note out of reach',
    change('<desk>', { article: { id: 5, category: 3 } }),
    failed(undefined),
  ),
  note(
    'moves it, and makes as if it stayed',
    change('<desk>', {
      article: { id: 5, category: 3, notes: { create: [{ text: 'x', article: { id: 5 } }] } },
    }),
    failed(undefined),
  ),
  note(
    'draws the article of a note into her reach',
    change('<vaulted>', { article: { id: 2, category: 1 } }),
    forbidden(undefined),
  ),
  note(
    'makes a note for an article to draw it into her reach',
    add({ text: 'x', article: { id: 2, category: 1 } }),
    forbidden(undefined),
  ),
  note(
    'changes the article of a note within her reach',
    change('<desk>', { article: { id: 5, title: 'Mended' } }),
    { changes: { articles: { changed: { 5: { title: 'Mended' } } } } },
  ),
];

const throughAList: Scenario[] = [
  section(
    'draws an article into a list of hers',
    change(2, { articles: { update: [2] } }),
    forbidden(undefined),
  ),
  section(
    'draws it by an object',
    change(2, { articles: { update: [{ id: 2, title: 'X' }] } }),
    forbidden(undefined),
  ),
  section('draws nobody’s article', change(2, { articles: [1, 4] }), forbidden(undefined)),
  section(
    'makes a category of others’ articles',
    add({ name: 'New', articles: [2] }),
    forbidden(undefined),
  ),
  section(
    'makes one of articles that leave her reach by it',
    add({ name: 'New', articles: [3] }),
    failed(undefined),
  ),
  section(
    'puts an article out of its list',
    change(1, { articles: { delete: [3] } }),
    failed(undefined),
  ),
  section('puts all articles out of their list', change(1, { articles: [] }), failed(undefined)),
  section(
    'writes the list of a category that is not hers',
    change(3, { articles: { update: [3] } }),
    forbidden(undefined),
  ),
  section('moves an article from list to list', change(2, { articles: [1, 3] }), {
    changes: { articles: { changed: { 3: { category: 2 } } } },
  }),
  dora(
    'draws others’ notes into an article',
    change(5, { notes: { update: ['<elsewhere>'] } }),
    forbidden(undefined),
  ),
  dora(
    'draws them by an object',
    change(5, { notes: { update: [{ id: '<elsewhere>', text: 'X' }] } }),
    forbidden(undefined),
  ),
  dora(
    'draws them and leaves the rest',
    change(5, { notes: ['<desk>', '<amys>', '<elsewhere>'] }),
    forbidden(undefined),
  ),
  dora('drops others’ notes', change(5, { notes: { delete: ['<amys>'] } }), forbidden(undefined)),
  dora('drops them by leaving them out', change(5, { notes: ['<desk>'] }), forbidden(undefined)),
  dora('drops them with her own', change(5, { notes: [] }), forbidden(undefined)),
  dora(
    'sends a note from one article’s list to another article',
    change(5, { notes: { update: [{ id: '<amys>', article: 3 }] } }),
    forbidden(undefined),
  ),
  dora('drops her own note, which cannot be without an article', change(5, { notes: ['<amys>'] }), {
    changes: { notes: { removed: [{ text: 'On the desk' }] } },
  }),
  dora(
    'draws her own note out of an article of others',
    change(5, { notes: { update: ['<vaulted>'] } }),
    {
      changes: { notes: { changed: { '<vaulted>': { article: 5 } } } },
    },
  ),
  pia('drops an answer to her article', change(4, { notes: ['<jotted>'] }), forbidden(undefined)),
  pia(
    'draws a note into her article',
    change(4, { notes: { update: ['<seen>'] } }),
    forbidden(undefined),
  ),
];

const twoIds: Scenario[] = [
  pia('names another row in the body', change(4, { id: 2, title: 'X' }), malformed('id')),
  pia('names her own row in the body', change(2, { id: 4, title: 'X' }), forbidden(undefined)),
  pia('names no row in the body', change(4, { id: null, title: 'X' }), malformed('id')),
  pia('names rows by a list in the body', change(4, { id: [4, 2], title: 'X' }), malformed('id')),
  pia(
    'names rows by a filter in the body',
    change(4, { id: { _eq: 4 }, title: 'X' }),
    malformed('id'),
  ),
  pia('names another row for all', changeAll([4], { id: 2, title: 'X' }), malformed('id')),
  pia('names one of the rows for all', changeAll([4, 5], { id: 4, title: 'X' }), malformed('id')),
  pia(
    'names another row for those that a query finds',
    changeWhere({ filter: { id: { _eq: 4 } } }, { id: 2 }),
    malformed('id'),
  ),
  pia('names the same row twice', changeAll([4, 4], { title: 'X' }), malformed('id')),
  pia(
    'names it twice with other values',
    changeEach({ id: 4, title: 'X' }, { id: 4, title: 'Y' }),
    malformed('id'),
  ),
  pia(
    'names it in two spellings',
    changeEach({ id: 4, title: 'X' }, { id: '04', title: 'Y' }),
    malformed('id'),
  ),
  pia(
    'names her row and another as one',
    changeEach({ id: 4, title: 'X', keys: [2] }),
    forbidden('keys'),
  ),
  pia('gives a row another key', changeEach({ id: 4, data: { id: 2 } }), forbidden('data')),
  pia(
    'names another row within',
    change(4, { category: { id: 1, name: 'X' } }),
    forbidden(undefined),
  ),
  pia(
    'names another’s note within',
    change(4, { notes: { update: [{ id: '<answered>', text: 'X' }] } }),
    forbidden(undefined),
  ),
  pia(
    'names another parent within',
    change(4, { notes: { update: [{ id: '<jotted>', text: 'X', article: 2 }] } }),
    forbidden('article'),
  ),
  pia('names the row in the body too', change(4, { id: 4, title: 'Same' }), {
    changes: { articles: { changed: { 4: { title: 'Same' } } } },
  }),
  dora(
    'names two rows of one note',
    change(5, {
      notes: {
        update: [
          { id: '<desk>', text: 'X' },
          { id: '<desk>', text: 'Y' },
        ],
      },
    }),
    malformed('id'),
  ),
  dora(
    'names a note of another article twice',
    change(5, {
      notes: {
        update: [
          { id: '<vaulted>', text: 'X' },
          { id: '<vaulted>', text: 'Y' },
        ],
      },
    }),
    malformed('id'),
  ),
  dora(
    'names the row itself within it',
    change(5, {
      title: 'X',
      notes: { update: [{ id: '<desk>', article: { id: 5, title: 'Y' } }] },
    }),
    malformed('id'),
  ),
  dora(
    'names another parent for a new row',
    change(5, { notes: { create: [{ text: 'X', article: 2 }] } }),
    { changes: { notes: { added: [{ text: 'X', article: 5 }] } } },
  ),
];

describe('Rows out of reach, and two ids at once', () => {
  playIn({
    open: openNestedWorld,
    scenarios: [
      ...numbered(21, [...leaving, ...throughAChild, ...throughAList]),
      ...numbered(22, twoIds),
    ],
  });
});
