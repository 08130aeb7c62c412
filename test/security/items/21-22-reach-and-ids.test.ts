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
  possible,
  type Scenario,
} from '../../support/scenarios';
import { openNestedWorld } from './nested-world';

const pia = by('pia', 'articles');
const dora = by('dora', 'articles');
const section = by('dora', 'categories');
const note = by('dora', 'notes');

const leaving: Scenario[] = [
  pia('give an article away', change(4, { owner: '<amy>' }), failed('owner')),
  pia('remove the owner', change(4, { owner: null }), failed('owner')),
  pia('give it away as an object', change(4, { owner: { id: '<amy>' } }), failed('owner')),
  pia('give some away', changeAll([4, 5], { owner: '<amy>' }), failed('owner')),
  pia('give all away', changeWhere({ filter: {} }, { owner: '<amy>' }), failed('owner')),
  pia(
    'give one of two away',
    changeEach({ id: 5, owner: '<pia>' }, { id: 4, owner: '<amy>' }),
    failed('owner'),
  ),
  pia('give it to herself', change(4, { owner: '<pia>' }), { changes: {} }),
  dora(
    'move an article to a category out of reach',
    change(3, { category: 3 }),
    failed('category'),
  ),
  dora('take it out of every category', change(3, { category: null }), failed('category')),
  dora(
    'move it into a new category',
    change(3, { category: { name: 'Side' } }),
    failed('category'),
  ),
  dora(
    'rename its category so that it is out of reach',
    change(3, { category: { id: 1, name: 'Side' } }),
    failed('category'),
  ),
  dora('move it within her reach', change(3, { category: 2 }), {
    changes: { articles: { changed: { 3: { category: 2 } } } },
  }),
];

const throughAChild: Scenario[] = [
  note(
    'move the article of a note out of reach',
    change('<desk>', { article: { id: 5, category: 3 } }),
    failed('category'),
  ),
  note(
    'move it while the payload pretends that it stays',
    change('<desk>', {
      article: { id: 5, category: 3, notes: { create: [{ text: 'x', article: { id: 5 } }] } },
    }),
    failed('category'),
  ),
  note(
    'move the article of a note into her reach',
    change('<vaulted>', { article: { id: 2, category: 1 } }),
    forbidden(undefined),
  ),
  note(
    'create a note to move its article into her reach',
    add({ text: 'x', article: { id: 2, category: 1 } }),
    forbidden(undefined),
  ),
  note(
    'change the article of a note within her reach',
    change('<desk>', { article: { id: 5, title: 'Mended' } }),
    { changes: { articles: { changed: { 5: { title: 'Mended' } } } } },
  ),
];

const throughAList: Scenario[] = [
  section(
    'link an article into her list',
    change(2, { articles: { update: [2] } }),
    forbidden(undefined),
  ),
  section(
    'link it by an object',
    change(2, { articles: { update: [{ id: 2, title: 'X' }] } }),
    forbidden(undefined),
  ),
  section(
    'link an article without a category',
    change(2, { articles: [1, 4] }),
    forbidden(undefined),
  ),
  section(
    'create a category with others’ articles',
    add({ name: 'New', articles: [2] }),
    forbidden(undefined),
  ),
  section(
    'create one with articles that would leave her reach',
    add({ name: 'New', articles: [3] }),
    failed('category'),
  ),
  section(
    'take an article out of its list',
    change(1, { articles: { delete: [3] } }),
    failed('category'),
  ),
  section('take all articles out of their list', change(1, { articles: [] }), failed('category')),
  section(
    'write the list of a category that is not hers',
    change(3, { articles: { update: [3] } }),
    forbidden(undefined),
  ),
  section('move an article from list to list', change(2, { articles: [1, 3] }), {
    changes: { articles: { changed: { 3: { category: 2 } } } },
  }),
  dora(
    'link others’ notes to an article',
    change(5, { notes: { update: ['<elsewhere>'] } }),
    forbidden(undefined),
  ),
  dora(
    'link them by an object',
    change(5, { notes: { update: [{ id: '<elsewhere>', text: 'X' }] } }),
    forbidden(undefined),
  ),
  dora(
    'link them along with the existing ones',
    change(5, { notes: ['<desk>', '<amys>', '<elsewhere>'] }),
    forbidden(undefined),
  ),
  dora('remove others’ notes', change(5, { notes: { delete: ['<amys>'] } }), forbidden(undefined)),
  dora('remove them by leaving them out', change(5, { notes: ['<desk>'] }), forbidden(undefined)),
  dora('remove them with her own', change(5, { notes: [] }), forbidden(undefined)),
  dora(
    'move a note from one article’s list to another article',
    change(5, { notes: { update: [{ id: '<amys>', article: 3 }] } }),
    forbidden(undefined),
  ),
  dora(
    'remove her own note, which is deleted since it requires an article',
    change(5, { notes: ['<amys>'] }),
    {
      changes: { notes: { removed: [{ text: 'On the desk' }] } },
    },
  ),
  dora(
    'link her own note from an article of others',
    change(5, { notes: { update: ['<vaulted>'] } }),
    {
      changes: { notes: { changed: { '<vaulted>': { article: 5 } } } },
    },
  ),
  pia('remove an answer to her article', change(4, { notes: ['<jotted>'] }), forbidden(undefined)),
  pia(
    'link a note to her article',
    change(4, { notes: { update: ['<seen>'] } }),
    forbidden(undefined),
  ),
];

const twoIds: Scenario[] = [
  pia('name another row in the body', change(4, { id: 2, title: 'X' }), malformed('id')),
  pia('name her own row in the body', change(2, { id: 4, title: 'X' }), forbidden(undefined)),
  pia('send null as the id in the body', change(4, { id: null, title: 'X' }), malformed('id')),
  pia('name rows by a list in the body', change(4, { id: [4, 2], title: 'X' }), malformed('id')),
  pia(
    'name rows by a filter in the body',
    change(4, { id: { _eq: 4 }, title: 'X' }),
    malformed('id'),
  ),
  pia('name another row for all rows', changeAll([4], { id: 2, title: 'X' }), malformed('id')),
  pia(
    'name one of the rows for all rows',
    changeAll([4, 5], { id: 4, title: 'X' }),
    malformed('id'),
  ),
  pia(
    'name another row for those that a query finds',
    changeWhere({ filter: { id: { _eq: 4 } } }, { id: 2 }),
    malformed('id'),
  ),
  pia('name the same row twice', changeAll([4, 4], { title: 'X' }), malformed('id')),
  pia(
    'name it twice with different values',
    changeEach({ id: 4, title: 'X' }, { id: 4, title: 'Y' }),
    malformed('id'),
  ),
  pia(
    'name it in two spellings',
    changeEach({ id: 4, title: 'X' }, { id: '04', title: 'Y' }),
    malformed('id'),
  ),
  pia(
    'name her row and another in one item',
    changeEach({ id: 4, title: 'X', keys: [2] }),
    forbidden('keys'),
  ),
  pia('give a row another key', changeEach({ id: 4, data: { id: 2 } }), forbidden('data')),
  pia(
    'name another row in a nested payload',
    change(4, { category: { id: 1, name: 'X' } }),
    forbidden(undefined),
  ),
  pia(
    'name another’s note in a nested payload',
    change(4, { notes: { update: [{ id: '<answered>', text: 'X' }] } }),
    forbidden(undefined),
  ),
  pia(
    'name another parent in a nested payload',
    change(4, { notes: { update: [{ id: '<jotted>', text: 'X', article: 2 }] } }),
    forbidden('article'),
  ),
  pia('name the row in the body too', change(4, { id: 4, title: 'Same' }), {
    changes: { articles: { changed: { 4: { title: 'Same' } } } },
  }),
  dora(
    'name one note twice',
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
    'name a note of another article twice',
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
    'name the row itself in a nested payload',
    change(5, {
      title: 'X',
      notes: { update: [{ id: '<desk>', article: { id: 5, title: 'Y' } }] },
    }),
    malformed('id'),
  ),
  dora(
    'name another parent for a new row',
    change(5, { notes: { create: [{ text: 'X', article: 2 }] } }),
    malformed('article'),
  ),
];

describe('Rows out of reach, and two ids at once', () => {
  playIn({
    open: openNestedWorld,
    scenarios: [
      ...numbered(21, possible([...leaving, ...throughAChild, ...throughAList])),
      ...numbered(22, possible(twoIds)),
    ],
  });
});
