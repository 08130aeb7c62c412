import {
  add,
  addAll,
  by,
  change,
  changeAll,
  changeEach,
  changeWhere,
  dropAll,
  dropWhere,
  failed,
  forbidden,
  malformed,
  missing,
  required,
  numbered,
  playIn,
  type Scenario,
  unlinked,
} from '../../support/scenarios';
import { openNestedWorld } from './nested-world';

const pia = by('pia', 'articles');
const dora = by('dora', 'articles');
const section = by('dora', 'categories');
const chuck = by('chuck', 'articles');
const note = by('chuck', 'notes');

const NOTHING = forbidden(undefined);
const title = 'X';
/** The first item is valid; the second has the fault. */
const second = (wrong: object) => changeEach({ id: 4, title }, { id: 5, title, ...wrong });
const newSecond = (wrong: object) => addAll({ title, notes: [{ text: 'x' }] }, { title, ...wrong });

const changed: Scenario[] = [
  pia('changes her own and another’s', changeAll([4, 2, 5], { title }), NOTHING),
  pia('changes her own and none', changeAll([4, 4711], { title }), NOTHING),
  pia('changes her own and no key', changeAll([4, 'x'], { title }), NOTHING),
  pia('changes each, one another’s', changeEach({ id: 4, title }, { id: 2, title }), NOTHING),
  pia('changes each, one without key', changeEach({ id: 4, title }, { title }), malformed('id')),
  pia('changes each, one with a field too many', second({ secret: 'x' }), forbidden('secret')),
  pia('changes each, one with a bad value', second({ title: '' }), failed('title')),
  pia('changes each, one with a text for a list', second({ notes: 'x' }), malformed('notes')),
  pia(
    'changes each, one with a bad note',
    second({ notes: { create: [{ text: 'x' }, { text: 'y', author: '<amy>' }] } }),
    forbidden('author'),
  ),
  pia(
    'changes each, one with an empty note',
    second({ notes: { create: [{ text: 'x' }, {}] } }),
    required('text'),
  ),
  pia(
    'changes each, one with another’s note',
    second({ notes: { update: [{ id: '<whispered>', text: 'x' }] } }),
    NOTHING,
  ),
  pia(
    'changes each, one with a hidden tag',
    second({ tags: ['<red>', '<hush>'] }),
    unlinked('tags'),
  ),
  pia('changes each, one with a new tag', second({ tags: [{ name: 'new' }] }), NOTHING),
  pia('changes each, one with a hidden category', second({ category: 3 }), unlinked('category')),
  dora('changes all that she sees', changeWhere({ filter: {} }, { title }), NOTHING),
  dora(
    'changes what a query finds',
    changeWhere({ filter: { id: { _in: [1, 2, 3] } } }, { title }),
    NOTHING,
  ),
  dora(
    'makes notes for what a query finds',
    changeWhere({ filter: { id: { _in: [1, 2] } } }, { notes: { create: [{ text: 'x' }] } }),
    NOTHING,
  ),
  section('changes two to the same name', changeEach({ id: 1, name: 'A' }, { id: 2, name: 'A' }), {
    refused: 'RECORD_NOT_UNIQUE',
  }),
  section(
    'changes two, one into a circle',
    changeEach({ id: 2, name: 'A' }, { id: 1, name: 'B', parent: 2 }),
    { refused: 'CATEGORY_CIRCLE' },
  ),
  section(
    'changes two with their articles, one too many',
    changeEach(
      { id: 1, name: 'A', articles: { create: [], update: [{ id: 3, title }] } },
      { id: 2, name: 'B', articles: { update: [{ id: 2, title }] } },
    ),
    NOTHING,
  ),
  pia('changes only her own', changeAll([4, 5], { title }), {
    changes: { articles: { changed: { 4: { title }, 5: { title } } } },
  }),
];

const made: Scenario[] = [
  pia('makes two, one with a field too many', newSecond({ secret: 'x' }), forbidden('secret')),
  pia('makes two, one with a bad value', newSecond({ title: '' }), failed('title')),
  pia('makes two, one that she may not', newSecond({ status: 'archived' }), NOTHING),
  pia('makes two, one without a title', addAll({ title }, {}), { refused: 'FAILED_VALIDATION' }),
  pia(
    'makes two, one with an empty note',
    newSecond({ notes: [{ text: 'y' }, {}] }),
    required('text'),
  ),
  pia('makes two, one with another’s note', newSecond({ notes: ['<seen>'] }), NOTHING),
  pia('makes two, one with a hidden tag', newSecond({ tags: ['<hush>'] }), unlinked('tags')),
  pia('makes two, one in a new category', newSecond({ category: { name: 'New' } }), NOTHING),
  pia('makes two, one a text', addAll({ title }, 'x'), { refused: 'INVALID_PAYLOAD' }),
  section('makes two, one with a name that is taken', addAll({ name: 'New' }, { name: 'World' }), {
    refused: 'RECORD_NOT_UNIQUE',
  }),
  section(
    'makes two, the second with an article too many',
    addAll({ name: 'New', articles: [] }, { name: 'Newer', articles: [1, 4] }),
    NOTHING,
  ),
  section(
    'makes two, one below none',
    addAll({ name: 'New' }, { name: 'Newer', parent: 4711 }),
    unlinked('parent'),
  ),
];

const dropped: Scenario[] = [
  pia('deletes her own and another’s', dropAll(4, 2), NOTHING),
  pia('deletes her own and none', dropAll(4, 4711), NOTHING),
  pia('deletes one twice', dropAll(4, 4), malformed('id')),
  dora('deletes all that she sees', dropWhere({ filter: {} }), NOTHING),
  dora('deletes what a query finds', dropWhere({ filter: { id: { _in: [1, 2] } } }), NOTHING),
  dora(
    'drops one of the notes that she may not',
    changeEach({ id: 3, title }, { id: 5, notes: { delete: ['<desk>', '<amys>'] } }),
    NOTHING,
  ),
  pia('deletes her own, and with them what hangs on them', dropAll(4, 5), {
    changes: {
      articles: { removed: [{ id: 4 }, { id: 5 }] },
      articles_tags: { removed: [{ tags_id: '<red>' }, { tags_id: '<hush>' }] },
      notes: {
        removed: ['jotted', 'answered', 'desk', 'amys'].map((name) => ({ id: `<${name}>` })),
      },
    },
  }),
];

const NEW = { title: 'New', body: 'Body', qty: 2 };

const created: Scenario[] = [
  chuck('leaves a field out', add({ title: 'New', qty: 2 }), failed(undefined)),
  chuck('leaves another out', add({ title: 'New', body: 'Body' }), failed(undefined)),
  chuck('sends null', add({ ...NEW, body: null }), failed('body', { type: 'nnull' })),
  chuck('sends null for a number', add({ ...NEW, qty: null }), failed('qty')),
  chuck('sends too little', add({ ...NEW, qty: 0 }), failed('qty', { type: 'gte', valid: 1 })),
  chuck('sends a preset field', add({ ...NEW, status: 'draft' }), forbidden('status')),
  chuck('sends it at its own value', add({ ...NEW, status: 'published' }), forbidden('status')),
  chuck('sends it as null', add({ ...NEW, price: null }), forbidden('price')),
  chuck('sends what is needed', add(NEW), {
    changes: {
      articles: { added: [{ ...NEW, status: 'published', price: 5, owner: '<chuck>' }] },
    },
  }),
];

const updated: Scenario[] = [
  chuck('leaves what is stored and fails', change(7, { title }), failed(undefined)),
  chuck('sends nothing to a row that fails', change(7, {}), failed(undefined)),
  chuck('sends null for what fails', change(7, { qty: null }), failed('qty')),
  chuck('takes a value away', change(6, { body: null }), failed('body')),
  chuck(
    'takes it away from one of two',
    changeEach({ id: 6, title }, { id: 7, title }),
    failed(undefined),
  ),
  chuck('sends a preset field', change(6, { secret: 'mine' }), forbidden('secret')),
  chuck('sends it at its own value', change(6, { secret: 'preset' }), forbidden('secret')),
  chuck(
    'sends a field that is only validated',
    change(6, { status: 'published' }),
    forbidden('status'),
  ),
  chuck('mends what fails', change(7, { qty: 1 }), {
    changes: { articles: { changed: { 7: { qty: 1, secret: 'preset' } } } },
  }),
];

const nested: Scenario[] = [
  chuck('sends an empty note', change(6, { notes: { create: [{ text: '' }] } }), failed('text')),
  chuck('leaves a note’s text out', change(6, { notes: { create: [{}] } }), failed(undefined)),
  chuck(
    'sends a note’s text as null',
    change(6, { notes: { create: [{ text: null }] } }),
    missing('text'),
  ),
  chuck(
    'sends a note’s preset field',
    change(6, { notes: { create: [{ text: 'x', author: '<chuck>' }] } }),
    forbidden('author'),
  ),
  chuck(
    'sends it as null with a new article',
    add({ ...NEW, notes: [{ text: 'x', author: null }] }),
    forbidden('author'),
  ),
  chuck(
    'sends a new article with an empty note',
    add({ ...NEW, notes: [{ text: 'x' }, { text: '' }] }),
    failed('text'),
  ),
  chuck(
    'sends a note to a row that fails',
    change(7, { notes: { create: [{ text: 'x' }] } }),
    failed(undefined),
  ),
  chuck(
    'changes a note that fails',
    change(6, { notes: { update: [{ id: '<loose>', text: 'x' }] } }),
    failed(undefined),
  ),
  chuck(
    'takes a note’s author away',
    change(6, { notes: { update: [{ id: '<kept>', author: null }] } }),
    failed('author', { type: 'nnull' }),
  ),
  chuck(
    'takes a note’s text away',
    change(6, { notes: { update: [{ id: '<kept>', text: '' }] } }),
    failed('text'),
  ),
  chuck('draws a note that fails', add({ ...NEW, notes: ['<loose>'] }), failed(undefined)),
  note(
    'makes a note and less than an article',
    add({ text: 'x', article: { title, body: 'Body' } }),
    failed(undefined),
  ),
  note(
    'makes a note and an article with null',
    add({ text: 'x', article: { ...NEW, body: null } }),
    failed('body'),
  ),
  note(
    'makes a note for an article that fails',
    add({ text: 'x', article: { id: 7, title } }),
    failed(undefined),
  ),
  note(
    'changes a note’s article to null',
    change('<kept>', { article: { id: 6, qty: null } }),
    failed('qty'),
  ),
  note(
    'changes a note’s preset field',
    change('<kept>', { article: { id: 6, secret: 'mine' } }),
    forbidden('secret'),
  ),
  note('mends the article of a new note', add({ text: 'x', article: { id: 7, qty: 3 } }), {
    changes: {
      notes: { added: [{ text: 'x', article: 7, author: '<chuck>' }] },
      articles: { changed: { 7: { qty: 3, secret: 'preset' } } },
    },
  }),
  chuck(
    'mends a note that fails',
    change(6, { notes: { update: [{ id: '<loose>', author: '<amy>' }] } }),
    {
      changes: {
        notes: { changed: { '<loose>': { author: '<amy>' } } },
        articles: { changed: { 6: { secret: 'preset' } } },
      },
    },
  ),
];

describe('Many rows at once, and rows as they result', () => {
  playIn({
    open: openNestedWorld,
    scenarios: [
      ...numbered(24, [...changed, ...made, ...dropped]),
      ...numbered(25, [...created, ...updated, ...nested]),
    ],
  });
});
