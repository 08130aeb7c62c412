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
  possible,
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
  pia('change her own and another’s', changeAll([4, 2, 5], { title }), NOTHING),
  pia('change her own and a missing one', changeAll([4, 4711], { title }), NOTHING),
  pia('change her own and an invalid key', changeAll([4, 'x'], { title }), NOTHING),
  pia('change each, one another’s', changeEach({ id: 4, title }, { id: 2, title }), NOTHING),
  pia('change each, one without key', changeEach({ id: 4, title }, { title }), malformed('id')),
  pia('change each, one with a forbidden field', second({ secret: 'x' }), forbidden('secret')),
  pia('change each, one with a bad value', second({ title: '' }), failed('title')),
  pia('change each, one with a text for a list', second({ notes: 'x' }), malformed('notes')),
  pia(
    'change each, one with a bad note',
    second({ notes: { create: [{ text: 'x' }, { text: 'y', author: '<amy>' }] } }),
    forbidden('author'),
  ),
  pia(
    'change each, one with an empty note',
    second({ notes: { create: [{ text: 'x' }, {}] } }),
    required('text'),
  ),
  pia(
    'change each, one with another’s note',
    second({ notes: { update: [{ id: '<whispered>', text: 'x' }] } }),
    NOTHING,
  ),
  pia(
    'change each, one with a hidden tag',
    second({ tags: ['<red>', '<hush>'] }),
    unlinked('tags'),
  ),
  pia('change each, one with a new tag', second({ tags: [{ name: 'new' }] }), NOTHING),
  pia('change each, one with a hidden category', second({ category: 3 }), unlinked('category')),
  dora('change all that she sees', changeWhere({ filter: {} }, { title }), NOTHING),
  dora(
    'change rows that a query finds',
    changeWhere({ filter: { id: { _in: [1, 2, 3] } } }, { title }),
    NOTHING,
  ),
  dora(
    'create notes for rows that a query finds',
    changeWhere({ filter: { id: { _in: [1, 2] } } }, { notes: { create: [{ text: 'x' }] } }),
    NOTHING,
  ),
  section('give two the same name', changeEach({ id: 1, name: 'A' }, { id: 2, name: 'A' }), {
    refused: 'RECORD_NOT_UNIQUE',
  }),
  section(
    'change two, one of them into a circle',
    changeEach({ id: 2, name: 'A' }, { id: 1, name: 'B', parent: 2 }),
    { refused: 'CATEGORY_CIRCLE' },
  ),
  section(
    'change two with their articles, one of them forbidden',
    changeEach(
      { id: 1, name: 'A', articles: { create: [], update: [{ id: 3, title }] } },
      { id: 2, name: 'B', articles: { update: [{ id: 2, title }] } },
    ),
    NOTHING,
  ),
  pia('change only her own', changeAll([4, 5], { title }), {
    changes: { articles: { changed: { 4: { title }, 5: { title } } } },
  }),
];

const made: Scenario[] = [
  pia('create two, one with a forbidden field', newSecond({ secret: 'x' }), forbidden('secret')),
  pia('create two, one with a bad value', newSecond({ title: '' }), failed('title')),
  pia('create two, one of them forbidden', newSecond({ status: 'archived' }), NOTHING),
  pia('create two, one without a title', addAll({ title }, {}), {
    refused: 'FAILED_VALIDATION',
  }),
  pia(
    'create two, one with an empty note',
    newSecond({ notes: [{ text: 'y' }, {}] }),
    required('text'),
  ),
  pia('create two, one with another’s note', newSecond({ notes: ['<seen>'] }), NOTHING),
  pia('create two, one with a hidden tag', newSecond({ tags: ['<hush>'] }), unlinked('tags')),
  pia('create two, one in a new category', newSecond({ category: { name: 'New' } }), NOTHING),
  pia('create two, one of them a text', addAll({ title }, 'x'), {
    refused: 'INVALID_PAYLOAD',
  }),
  section(
    'create two, one with a name that is not unique',
    addAll({ name: 'New' }, { name: 'World' }),
    {
      refused: 'RECORD_NOT_UNIQUE',
    },
  ),
  section(
    'create two, the second with a forbidden article',
    addAll({ name: 'New', articles: [] }, { name: 'Newer', articles: [1, 4] }),
    NOTHING,
  ),
  section(
    'create two, one below a missing one',
    addAll({ name: 'New' }, { name: 'Newer', parent: 4711 }),
    unlinked('parent'),
  ),
];

const dropped: Scenario[] = [
  pia('delete her own and another’s', dropAll(4, 2), NOTHING),
  pia('delete her own and a missing one', dropAll(4, 4711), NOTHING),
  pia('delete one twice', dropAll(4, 4), malformed('id')),
  dora('delete all that she sees', dropWhere({ filter: {} }), NOTHING),
  dora('delete rows that a query finds', dropWhere({ filter: { id: { _in: [1, 2] } } }), NOTHING),
  dora(
    'remove a note that she may not delete',
    changeEach({ id: 3, title }, { id: 5, notes: { delete: ['<desk>', '<amys>'] } }),
    NOTHING,
  ),
  pia('delete her own, and with them their related rows', dropAll(4, 5), {
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
  chuck('leave a field out', add({ title: 'New', qty: 2 }), failed(undefined)),
  chuck('leave another field out', add({ title: 'New', body: 'Body' }), failed(undefined)),
  chuck('send null', add({ ...NEW, body: null }), failed('body', { type: 'nnull' })),
  chuck('send null for a number', add({ ...NEW, qty: null }), failed('qty')),
  chuck(
    'send too small a value',
    add({ ...NEW, qty: 0 }),
    failed('qty', { type: 'gte', valid: 1 }),
  ),
  chuck('send a preset field', add({ ...NEW, status: 'draft' }), forbidden('status')),
  chuck('send it with its own value', add({ ...NEW, status: 'published' }), forbidden('status')),
  chuck('send it as null', add({ ...NEW, price: null }), forbidden('price')),
  chuck('send what is required', add(NEW), {
    changes: {
      articles: { added: [{ ...NEW, status: 'published', price: 5, owner: '<chuck>' }] },
    },
  }),
];

const updated: Scenario[] = [
  chuck('leave an invalid stored value unchanged', change(7, { title }), failed(undefined)),
  chuck('send an empty change to an invalid row', change(7, {}), failed(undefined)),
  chuck('send null for an invalid value', change(7, { qty: null }), failed('qty')),
  chuck('remove a required value', change(6, { body: null }), failed('body')),
  chuck(
    'remove it from one of two',
    changeEach({ id: 6, title }, { id: 7, title }),
    failed(undefined),
  ),
  chuck('send a preset field', change(6, { secret: 'mine' }), forbidden('secret')),
  chuck('send it with its own value', change(6, { secret: 'preset' }), forbidden('secret')),
  chuck(
    'send a field that is only validated',
    change(6, { status: 'published' }),
    forbidden('status'),
  ),
  chuck('correct an invalid value', change(7, { qty: 1 }), {
    changes: { articles: { changed: { 7: { qty: 1, secret: 'preset' } } } },
  }),
];

const nested: Scenario[] = [
  chuck('send an empty note', change(6, { notes: { create: [{ text: '' }] } }), failed('text')),
  chuck('leave a note’s text out', change(6, { notes: { create: [{}] } }), failed(undefined)),
  chuck(
    'send a note’s text as null',
    change(6, { notes: { create: [{ text: null }] } }),
    missing('text'),
  ),
  chuck(
    'send a note’s preset field',
    change(6, { notes: { create: [{ text: 'x', author: '<chuck>' }] } }),
    forbidden('author'),
  ),
  chuck(
    'send it as null with a new article',
    add({ ...NEW, notes: [{ text: 'x', author: null }] }),
    forbidden('author'),
  ),
  chuck(
    'send a new article with an empty note',
    add({ ...NEW, notes: [{ text: 'x' }, { text: '' }] }),
    failed('text'),
  ),
  chuck(
    'add a note to an invalid row',
    change(7, { notes: { create: [{ text: 'x' }] } }),
    failed(undefined),
  ),
  chuck(
    'change an invalid note',
    change(6, { notes: { update: [{ id: '<loose>', text: 'x' }] } }),
    failed(undefined),
  ),
  chuck(
    'remove a note’s author',
    change(6, { notes: { update: [{ id: '<kept>', author: null }] } }),
    failed('author', { type: 'nnull' }),
  ),
  chuck(
    'remove a note’s text',
    change(6, { notes: { update: [{ id: '<kept>', text: '' }] } }),
    failed('text'),
  ),
  chuck('link an invalid note', add({ ...NEW, notes: ['<loose>'] }), failed(undefined)),
  note(
    'create a note and an incomplete article',
    add({ text: 'x', article: { title, body: 'Body' } }),
    failed(undefined),
  ),
  note(
    'create a note and an article with null',
    add({ text: 'x', article: { ...NEW, body: null } }),
    failed('body'),
  ),
  note(
    'create a note for an invalid article',
    add({ text: 'x', article: { id: 7, title } }),
    failed(undefined),
  ),
  note(
    'change a note’s article to null',
    change('<kept>', { article: { id: 6, qty: null } }),
    failed('qty'),
  ),
  note(
    'change a note’s preset field',
    change('<kept>', { article: { id: 6, secret: 'mine' } }),
    forbidden('secret'),
  ),
  note('correct the article of a new note', add({ text: 'x', article: { id: 7, qty: 3 } }), {
    changes: {
      notes: { added: [{ text: 'x', article: 7, author: '<chuck>' }] },
      articles: { changed: { 7: { qty: 3, secret: 'preset' } } },
    },
  }),
  chuck(
    'correct an invalid note',
    change(6, { notes: { update: [{ id: '<loose>', author: '<amy>' }] } }),
    {
      changes: {
        notes: { changed: { '<loose>': { author: '<amy>' } } },
        articles: { changed: { 6: { secret: 'preset' } } },
      },
    },
  ),
];

describe('Many rows at once, and resulting rows', () => {
  playIn({
    open: openNestedWorld,
    scenarios: [
      ...numbered(24, possible([...changed, ...made, ...dropped])),
      ...numbered(25, possible([...created, ...updated, ...nested])),
    ],
  });
});
