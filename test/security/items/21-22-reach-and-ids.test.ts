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
  pia('cannot give an article away', change(4, { owner: '<amy>' }), failed('owner')),
  pia('cannot remove the owner', change(4, { owner: null }), failed('owner')),
  pia('cannot give it away as an object', change(4, { owner: { id: '<amy>' } }), failed('owner')),
  pia('cannot give some away', changeAll([4, 5], { owner: '<amy>' }), failed('owner')),
  pia('cannot give all away', changeWhere({ filter: {} }, { owner: '<amy>' }), failed('owner')),
  pia(
    'cannot give one of two away',
    changeEach({ id: 5, owner: '<pia>' }, { id: 4, owner: '<amy>' }),
    failed('owner'),
  ),
  pia('can give it to herself', change(4, { owner: '<pia>' }), { changes: {} }),
  dora(
    'cannot move an article to a category out of reach',
    change(3, { category: 3 }),
    failed(undefined),
  ),
  dora('cannot take it out of every category', change(3, { category: null }), failed(undefined)),
  dora(
    'cannot move it into a new category',
    change(3, { category: { name: 'Side' } }),
    failed(undefined),
  ),
  dora(
    'cannot rename its category so that it is out of reach',
    change(3, { category: { id: 1, name: 'Side' } }),
    failed(undefined),
  ),
  dora('can move it within her reach', change(3, { category: 2 }), {
    changes: { articles: { changed: { 3: { category: 2 } } } },
  }),
];

const throughAChild: Scenario[] = [
  note(
    'cannot move the article of a note out of reach',
    change('<desk>', { article: { id: 5, category: 3 } }),
    failed(undefined),
  ),
  note(
    'cannot move it while the payload pretends that it stays',
    change('<desk>', {
      article: { id: 5, category: 3, notes: { create: [{ text: 'x', article: { id: 5 } }] } },
    }),
    failed(undefined),
  ),
  note(
    'cannot move the article of a note into her reach',
    change('<vaulted>', { article: { id: 2, category: 1 } }),
    forbidden(undefined),
  ),
  note(
    'cannot create a note to move its article into her reach',
    add({ text: 'x', article: { id: 2, category: 1 } }),
    forbidden(undefined),
  ),
  note(
    'can change the article of a note within her reach',
    change('<desk>', { article: { id: 5, title: 'Mended' } }),
    { changes: { articles: { changed: { 5: { title: 'Mended' } } } } },
  ),
];

const throughAList: Scenario[] = [
  section(
    'cannot link an article into her list',
    change(2, { articles: { update: [2] } }),
    forbidden(undefined),
  ),
  section(
    'cannot link it by an object',
    change(2, { articles: { update: [{ id: 2, title: 'X' }] } }),
    forbidden(undefined),
  ),
  section(
    'cannot link an article without a category',
    change(2, { articles: [1, 4] }),
    forbidden(undefined),
  ),
  section(
    'cannot create a category with others’ articles',
    add({ name: 'New', articles: [2] }),
    forbidden(undefined),
  ),
  section(
    'cannot create one with articles that would leave her reach',
    add({ name: 'New', articles: [3] }),
    failed(undefined),
  ),
  section(
    'cannot take an article out of its list',
    change(1, { articles: { delete: [3] } }),
    failed(undefined),
  ),
  section(
    'cannot take all articles out of their list',
    change(1, { articles: [] }),
    failed(undefined),
  ),
  section(
    'cannot write the list of a category that is not hers',
    change(3, { articles: { update: [3] } }),
    forbidden(undefined),
  ),
  section('can move an article from list to list', change(2, { articles: [1, 3] }), {
    changes: { articles: { changed: { 3: { category: 2 } } } },
  }),
  dora(
    'cannot link others’ notes to an article',
    change(5, { notes: { update: ['<elsewhere>'] } }),
    forbidden(undefined),
  ),
  dora(
    'cannot link them by an object',
    change(5, { notes: { update: [{ id: '<elsewhere>', text: 'X' }] } }),
    forbidden(undefined),
  ),
  dora(
    'cannot link them along with the existing ones',
    change(5, { notes: ['<desk>', '<amys>', '<elsewhere>'] }),
    forbidden(undefined),
  ),
  dora(
    'cannot remove others’ notes',
    change(5, { notes: { delete: ['<amys>'] } }),
    forbidden(undefined),
  ),
  dora(
    'cannot remove them by leaving them out',
    change(5, { notes: ['<desk>'] }),
    forbidden(undefined),
  ),
  dora('cannot remove them with her own', change(5, { notes: [] }), forbidden(undefined)),
  dora(
    'cannot move a note from one article’s list to another article',
    change(5, { notes: { update: [{ id: '<amys>', article: 3 }] } }),
    forbidden(undefined),
  ),
  dora(
    'can remove her own note, which is deleted since it requires an article',
    change(5, { notes: ['<amys>'] }),
    {
      changes: { notes: { removed: [{ text: 'On the desk' }] } },
    },
  ),
  dora(
    'can link her own note from an article of others',
    change(5, { notes: { update: ['<vaulted>'] } }),
    {
      changes: { notes: { changed: { '<vaulted>': { article: 5 } } } },
    },
  ),
  pia(
    'cannot remove an answer to her article',
    change(4, { notes: ['<jotted>'] }),
    forbidden(undefined),
  ),
  pia(
    'cannot link a note to her article',
    change(4, { notes: { update: ['<seen>'] } }),
    forbidden(undefined),
  ),
];

const twoIds: Scenario[] = [
  pia('cannot name another row in the body', change(4, { id: 2, title: 'X' }), malformed('id')),
  pia(
    'cannot name her own row in the body',
    change(2, { id: 4, title: 'X' }),
    forbidden(undefined),
  ),
  pia(
    'cannot send null as the id in the body',
    change(4, { id: null, title: 'X' }),
    malformed('id'),
  ),
  pia(
    'cannot name rows by a list in the body',
    change(4, { id: [4, 2], title: 'X' }),
    malformed('id'),
  ),
  pia(
    'cannot name rows by a filter in the body',
    change(4, { id: { _eq: 4 }, title: 'X' }),
    malformed('id'),
  ),
  pia(
    'cannot name another row for all rows',
    changeAll([4], { id: 2, title: 'X' }),
    malformed('id'),
  ),
  pia(
    'cannot name one of the rows for all rows',
    changeAll([4, 5], { id: 4, title: 'X' }),
    malformed('id'),
  ),
  pia(
    'cannot name another row for those that a query finds',
    changeWhere({ filter: { id: { _eq: 4 } } }, { id: 2 }),
    malformed('id'),
  ),
  pia('cannot name the same row twice', changeAll([4, 4], { title: 'X' }), malformed('id')),
  pia(
    'cannot name it twice with different values',
    changeEach({ id: 4, title: 'X' }, { id: 4, title: 'Y' }),
    malformed('id'),
  ),
  pia(
    'cannot name it in two spellings',
    changeEach({ id: 4, title: 'X' }, { id: '04', title: 'Y' }),
    malformed('id'),
  ),
  pia(
    'cannot name her row and another in one item',
    changeEach({ id: 4, title: 'X', keys: [2] }),
    forbidden('keys'),
  ),
  pia('cannot give a row another key', changeEach({ id: 4, data: { id: 2 } }), forbidden('data')),
  pia(
    'cannot name another row in a nested payload',
    change(4, { category: { id: 1, name: 'X' } }),
    forbidden(undefined),
  ),
  pia(
    'cannot name another’s note in a nested payload',
    change(4, { notes: { update: [{ id: '<answered>', text: 'X' }] } }),
    forbidden(undefined),
  ),
  pia(
    'cannot name another parent in a nested payload',
    change(4, { notes: { update: [{ id: '<jotted>', text: 'X', article: 2 }] } }),
    forbidden('article'),
  ),
  pia('can name the row in the body too', change(4, { id: 4, title: 'Same' }), {
    changes: { articles: { changed: { 4: { title: 'Same' } } } },
  }),
  dora(
    'cannot name one note twice',
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
    'cannot name a note of another article twice',
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
    'cannot name the row itself in a nested payload',
    change(5, {
      title: 'X',
      notes: { update: [{ id: '<desk>', article: { id: 5, title: 'Y' } }] },
    }),
    malformed('id'),
  ),
  dora(
    'creates a new row below the outer one, whatever parent it names',
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
