import {
  add,
  by,
  change,
  failed,
  forbidden,
  type Id,
  type Scenario,
  unlinked,
} from '../../../support/scenarios';

const kim = by('kim', 'articles');
const ed = by('ed', 'articles');
const admin = by('admin', 'articles');

const title = 'X';
const FRESH = 'dddddddd-dddd-4ddd-8ddd-ddddddddddd1';
const taken = { refused: [{ code: 'RECORD_NOT_UNIQUE', field: 'id' }] };

export const ownKeys: Scenario[] = [
  kim(
    'makes rows of a list with keys that Kim chooses',
    add({ title, tags: [{ id: FRESH, name: 'Green' }] }),
    {
      changes: {
        tags: { added: [{ id: FRESH, name: 'Green' }] },
        articles: { added: [{ title }] },
        articles_tags: { added: [{ tags_id: FRESH }] },
      },
    },
  ),
  kim('makes rows that refer to the new one', add({ title, notes: [{ id: FRESH, text: 'Hi' }] }), {
    changes: {
      notes: { added: [{ id: FRESH, text: 'Hi' }] },
      articles: { added: [{ title }] },
    },
  }),
  kim(
    'makes one and updates another',
    change(3, {
      tags: [
        { id: FRESH, name: 'Green' },
        { id: '<blue>', name: 'Navy' },
      ],
    }),
    {
      changes: {
        tags: { added: [{ id: FRESH, name: 'Green' }], changed: { '<blue>': { name: 'Navy' } } },
        articles_tags: { added: [{ tags_id: '<blue>' }, { tags_id: FRESH }] },
      },
    },
  ),
  kim('links by a key alone', add({ title, tags: [{ id: FRESH }] }), unlinked('tags')),
  kim(
    'updates a row that does not exist',
    change(1, { tags: { update: [{ id: FRESH, name: 'A' }] } }),
    unlinked('tags'),
  ),
  admin(
    'makes the row that another refers to',
    add({ title, owner: { id: FRESH, first_name: 'New' } }),
    {
      changes: {
        service_users: { added: [{ id: FRESH, first_name: 'New' }] },
        articles: { added: [{ title, owner: FRESH }] },
      },
    },
  ),
  admin('refers by a key alone', add({ title, owner: { id: FRESH } }), unlinked('owner')),
  admin(
    'cannot choose a key that the database generates',
    add({ title, category: { id: 4711, name: 'A' } }),
    unlinked('category'),
  ),
  kim('names a key that is hidden', add({ title, tags: [{ id: '<hush>', name: 'Green' }] }), taken),
  by('kim', 'tags')('names it in a direct create', add({ id: '<hush>', name: 'Green' }), taken),
  kim(
    'names a key twice',
    add({
      title,
      tags: [
        { id: FRESH, name: 'A' },
        { id: FRESH, name: 'B' },
      ],
    }),
    taken,
  ),
];

/** Writes that are refused before the key is looked up. */
const REFUSED: readonly (readonly [it: string, write: (id: Id) => Scenario])[] = [
  [
    'a tag of another rule',
    (id) => kim('breaks the rule', add({ title, tags: [{ id, name: 'bad' }] }), failed('name')),
  ],
  [
    'a tag whose key Ed may not choose',
    (id) => ed('chooses a key', add({ title, tags: [{ id, name: 'A' }] }), forbidden('id')),
  ],
];

/** The same write with the key of a hidden row and with an unknown key. */
export const keyPairs: readonly (readonly [Scenario, Scenario])[] = REFUSED.map(([it, write]) => [
  { ...write('<hush>'), it: `hidden: ${it}` },
  { ...write(FRESH), it: `unknown: ${it}` },
]);
