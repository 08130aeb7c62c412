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
  ['null', null],
  ['herself', '<pia>'],
  ['another, as an object', { id: '<amy>' }],
  ['another, with a new name', { id: '<amy>', first_name: 'X' }],
  ['a new user', { first_name: 'X', status: 'active' }],
  ['a list', ['<amy>']],
  ['a filter', { _eq: '<amy>' }],
];

const preset: Scenario[] = OWNERS.flatMap(([it, owner]) => [
  pia(
    `cannot create an article with ${it} as the owner`,
    add({ title: 'X', owner }),
    forbidden('owner'),
  ),
  pia(
    `cannot create two, one with ${it} as the owner`,
    addAll({ title: 'X' }, { title: 'Y', owner }),
    forbidden('owner'),
  ),
  note(
    `cannot create one with ${it} as the owner, nested in a note`,
    add({ text: 'x', article: { title: 'X', owner } }),
    forbidden('owner'),
  ),
  pia(
    `cannot create a note with ${it} as the author, nested in an article`,
    add({ title: 'X', notes: [{ text: 'x' }, { text: 'y', author: owner }] }),
    forbidden('author'),
  ),
  pia(
    `cannot add a note with ${it} as the author`,
    change(4, { notes: { create: [{ text: 'y', author: owner }] } }),
    forbidden('author'),
  ),
]);

const aside: Scenario[] = [
  pia(
    'cannot change the owner in a nested payload',
    change(4, { owner: { id: '<amy>', first_name: 'X' } }),
    forbidden(undefined),
  ),
  pia(
    'cannot change herself in a nested payload',
    change(4, { owner: { id: '<pia>', role: null } }),
    forbidden(undefined),
  ),
  pia(
    'cannot create an owner in a nested payload',
    change(4, { owner: { first_name: 'X' } }),
    forbidden(undefined),
  ),
  pia(
    'cannot give away all rows that a query finds',
    changeWhere({ filter: { owner: '<pia>' } }, { owner: '<amy>' }),
    failed('owner'),
  ),
  pia(
    'cannot give away her drafts',
    changeWhere({ filter: { owner: { _eq: '<pia>' } } }, { owner: '<amy>' }),
    failed('owner'),
  ),
  pia(
    'does not take over rows that she does not see',
    changeWhere({ filter: { owner: { _eq: '<amy>' } } }, { owner: '<pia>' }),
    { gives: [], changes: {} },
  ),
  pia('cannot take over another’s article', change(3, { owner: '<pia>' }), forbidden(undefined)),
  pia('can create an article', add({ title: 'Mine' }), {
    shows: { owner: '<pia>' },
    changes: { articles: { added: [{ title: 'Mine', owner: '<pia>' }] } },
  }),
  note('can create a note and its article', add({ text: 'x', article: { title: 'Mine' } }), {
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
      'cannot name another owner',
      add({ title: 'X', owner }),
      failed('owner', { type: 'eq', valid: undefined }),
    ),
    sig(
      'cannot name another owner for one of two',
      addAll({ title: 'X' }, { title: 'Y', owner }),
      failed('owner'),
    ),
    sigs(
      'cannot name another owner in a nested payload',
      add({ name: 'New', articles: [{ title: 'X' }, { title: 'Y', owner }] }),
      failed('owner'),
    ),
  ]),
  sig('can name themselves', add({ title: 'X', owner: '<sig>' }), {
    changes: { articles: { added: [{ owner: '<sig>' }] } },
  }),
  sigs(
    'can leave the owner out in a nested payload',
    add({ name: 'New', articles: [{ title: 'X' }] }),
    {
      changes: {
        categories: { added: [{ name: 'New' }] },
        articles: { added: [{ title: 'X', owner: '<sig>' }] },
      },
    },
  ),
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
    pia(
      `cannot send ${name} with a new article`,
      add({ title: 'X', [name]: value }),
      forbidden(name),
    ),
    pia(
      `cannot send ${name} with her article`,
      change(4, { title: 'X', [name]: value }),
      forbidden(name),
    ),
    pia(`cannot send ${name} with another’s article`, change(2, { title: 'X', [name]: value }), {
      refused: 'FORBIDDEN',
    }),
    nobody(
      `cannot send ${name} without signing in`,
      add({ title: 'X', [name]: value }),
      forbidden(undefined),
    ),
    admin(
      `cannot send ${name}, which is not a field`,
      add({ title: 'X', [name]: value }),
      malformed(name),
    ),
  ]),
  pia(
    'cannot send $CURRENT_USER as the owner',
    change(4, { owner: '$CURRENT_USER' }),
    malformed('owner'),
  ),
  pia(
    'cannot send it as an object',
    change(4, { owner: { id: '$CURRENT_USER' } }),
    malformed('owner'),
  ),
  pia(
    'cannot send it as a filter',
    change(4, { owner: { _eq: '$CURRENT_USER' } }),
    forbidden(undefined),
  ),
  admin(
    'cannot send $CURRENT_USER as the owner either',
    add({ title: 'X', owner: '$CURRENT_USER' }),
    malformed('owner'),
  ),
  admin(
    'cannot send $NOW as a time',
    change(4, { published_at: '$NOW' }),
    malformed('published_at'),
  ),
  admin(
    'cannot send $CURRENT_USER as the author in a nested payload',
    change(4, { notes: { create: [{ text: 'x', author: '$CURRENT_USER' }] } }),
    malformed('author'),
  ),
  admin(
    'cannot send it as a key',
    changeAll(['$CURRENT_USER'], { title: 'X' }),
    forbidden(undefined),
  ),
  pia('can send it as text, which is stored as it is', change(4, { title: '$CURRENT_USER' }), {
    changes: { articles: { changed: { 4: { title: '$CURRENT_USER' } } } },
  }),
  pia(
    'can use it in a query, where it stands for herself',
    changeWhere({ filter: { owner: { _eq: '$CURRENT_USER' } } }, { title: 'X' }),
    { changes: { articles: { changed: { 4: { title: 'X' }, 5: { title: 'X' } } } } },
  ),
  pia(
    'cannot make a note her own',
    change(4, { notes: { update: [{ id: '<answered>', author: '<pia>' }] } }),
    { refused: 'FORBIDDEN' },
  ),
  note('cannot make another’s note her own', change('<answered>', { author: '<pia>', text: 'X' }), {
    refused: 'FORBIDDEN',
  }),
];

describe('The owner of a row, and the identity of a caller', () => {
  playIn({
    open: openNestedWorld,
    scenarios: [...numbered(23, [...preset, ...aside, ...validated]), ...numbered(26, identity)],
  });
});
