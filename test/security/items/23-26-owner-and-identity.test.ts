import {
  add,
  addAll,
  by,
  change,
  changeAll,
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
const sig = by('sig', 'articles');
const sigs = by('sig', 'categories');
const note = by('pia', 'notes');
const admin = by('admin', 'articles');
const nobody = by(null, 'articles');

/** The owner of an article comes from a preset, never from a payload. */
const OWNERS: readonly (readonly [string, unknown])[] = [
  ['another', '<amy>'],
  ['nobody', null],
  ['the maker', '<pia>'],
  ['another, as an object', { id: '<amy>' }],
  ['another, with a new name', { id: '<amy>', first_name: 'X' }],
  ['a new user', { first_name: 'X', status: 'active' }],
  ['a list', ['<amy>']],
  ['a filter', { _eq: '<amy>' }],
];

const preset: Scenario[] = OWNERS.flatMap(([it, owner]) => [
  pia(`makes an article of ${it}`, add({ title: 'X', owner }), forbidden('owner')),
  pia(`makes two, one of ${it}`, addAll({ title: 'X' }, { title: 'Y', owner }), forbidden('owner')),
  note(
    `makes one of ${it} with a note`,
    add({ text: 'x', article: { title: 'X', owner } }),
    forbidden('owner'),
  ),
  pia(
    `makes a note by ${it} with an article`,
    add({ title: 'X', notes: [{ text: 'x' }, { text: 'y', author: owner }] }),
    forbidden('author'),
  ),
  pia(
    `adds a note by ${it}`,
    change(4, { notes: { create: [{ text: 'y', author: owner }] } }),
    forbidden('author'),
  ),
]);

const aside: Scenario[] = [
  pia(
    'changes the owner along',
    change(4, { owner: { id: '<amy>', first_name: 'X' } }),
    forbidden(undefined),
  ),
  pia(
    'changes herself along',
    change(4, { owner: { id: '<pia>', role: null } }),
    forbidden(undefined),
  ),
  pia('makes the owner along', change(4, { owner: { first_name: 'X' } }), forbidden(undefined)),
  pia(
    'gives all that she finds away',
    changeWhere({ filter: { owner: '<pia>' } }, { owner: '<amy>' }),
    failed('owner'),
  ),
  pia(
    'gives her drafts away',
    changeWhere({ filter: { owner: { _eq: '<pia>' } } }, { owner: '<amy>' }),
    failed('owner'),
  ),
  pia(
    'takes what she does not see',
    changeWhere({ filter: { owner: { _eq: '<amy>' } } }, { owner: '<pia>' }),
    { gives: [], changes: {} },
  ),
  pia('takes another’s', change(3, { owner: '<pia>' }), forbidden(undefined)),
  pia('makes an article', add({ title: 'Mine' }), {
    shows: { owner: '<pia>' },
    changes: { articles: { added: [{ title: 'Mine', owner: '<pia>' }] } },
  }),
  note('makes a note and its article', add({ text: 'x', article: { title: 'Mine' } }), {
    changes: {
      articles: { added: [{ title: 'Mine', owner: '<pia>' }] },
      notes: { added: [{ text: 'x', author: '<pia>' }] },
    },
  }),
];

/** A user who may name only themselves as the owner. */
const validated: Scenario[] = [
  ...['<amy>', null, { id: '<amy>' }].flatMap((owner) => [
    sig(
      'names another as the owner',
      add({ title: 'X', owner }),
      failed('owner', { type: 'eq', valid: undefined }),
    ),
    sig(
      'names another for one of two',
      addAll({ title: 'X' }, { title: 'Y', owner }),
      failed('owner'),
    ),
    sigs(
      'names another within a category',
      add({ name: 'New', articles: [{ title: 'X' }, { title: 'Y', owner }] }),
      failed('owner'),
    ),
  ]),
  sig('names themselves', add({ title: 'X', owner: '<sig>' }), {
    changes: { articles: { added: [{ owner: '<sig>' }] } },
  }),
  sigs('names nobody within a category', add({ name: 'New', articles: [{ title: 'X' }] }), {
    changes: {
      categories: { added: [{ name: 'New' }] },
      articles: { added: [{ title: 'X', owner: '<sig>' }] },
    },
  }),
];

const IDENTITIES: readonly (readonly [string, unknown])[] = [
  ['user', '<amy>'],
  ['author', '<amy>'],
  ['who', { user: '<amy>', administrator: true }],
  ['accountability', { user: '<amy>', role: '<administrators>', admin: true }],
  ['role', '<administrators>'],
  ['admin_access', true],
  ['policies', ['<all>']],
  ['$CURRENT_USER', '<amy>'],
  ['access_token', 'x'],
];

const identity: Scenario[] = [
  ...IDENTITIES.flatMap(([name, value]) => [
    pia(`says ${name} of a new article`, add({ title: 'X', [name]: value }), forbidden(name)),
    pia(`says ${name} of her article`, change(4, { title: 'X', [name]: value }), forbidden(name)),
    pia(`says ${name} of another’s`, change(2, { title: 'X', [name]: value }), {
      refused: 'FORBIDDEN',
    }),
    nobody(`says ${name}`, add({ title: 'X', [name]: value }), forbidden(undefined)),
    admin(`says ${name}, which is no field`, add({ title: 'X', [name]: value }), malformed(name)),
  ]),
  pia('says $CURRENT_USER of the owner', change(4, { owner: '$CURRENT_USER' }), malformed('owner')),
  pia('says it as an object', change(4, { owner: { id: '$CURRENT_USER' } }), malformed('owner')),
  pia('says it as a filter', change(4, { owner: { _eq: '$CURRENT_USER' } }), forbidden(undefined)),
  admin('says it of the owner', add({ title: 'X', owner: '$CURRENT_USER' }), malformed('owner')),
  admin('says $NOW of a time', change(4, { published_at: '$NOW' }), malformed('published_at')),
  admin(
    'says it of an author within',
    change(4, { notes: { create: [{ text: 'x', author: '$CURRENT_USER' }] } }),
    malformed('author'),
  ),
  admin('says it of rows', changeAll(['$CURRENT_USER'], { title: 'X' }), forbidden(undefined)),
  pia('says it in a text, where it is a text', change(4, { title: '$CURRENT_USER' }), {
    changes: { articles: { changed: { 4: { title: '$CURRENT_USER' } } } },
  }),
  pia(
    'says it in a query, where it is herself',
    changeWhere({ filter: { owner: { _eq: '$CURRENT_USER' } } }, { title: 'X' }),
    { changes: { articles: { changed: { 4: { title: 'X' }, 5: { title: 'X' } } } } },
  ),
  pia(
    'takes a note as hers',
    change(4, { notes: { update: [{ id: '<answered>', author: '<pia>' }] } }),
    { refused: 'FORBIDDEN' },
  ),
  note('takes another’s note as hers', change('<answered>', { author: '<pia>', text: 'X' }), {
    refused: 'FORBIDDEN',
  }),
];

describe('The owner of a row, and the identity of a caller', () => {
  playIn({
    open: openNestedWorld,
    scenarios: [...numbered(23, [...preset, ...aside, ...validated]), ...numbered(26, identity)],
  });
});
