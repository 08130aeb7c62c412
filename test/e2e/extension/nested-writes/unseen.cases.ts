import {
  add,
  by,
  change,
  type Expected,
  forbidden,
  type Id,
  type Operation,
  type Scenario,
  unlinked,
} from '../../../support/scenarios';

const title = 'X';
const NOTHING = forbidden(undefined);
const UNKNOWN = 'dddddddd-dddd-4ddd-8ddd-dddddddddddd';

/** Places in a write to a collection where the key of a row may be, and the expected answer. */
type Places = readonly (readonly [
  place: string,
  collection: string,
  operation: (id: Id) => Operation,
  expected: Expected,
])[];

const CATEGORY: Places = [
  ['a key', 'articles', (id) => change(3, { category: id }), unlinked('category')],
  ['a key of a new row', 'articles', (id) => add({ title, category: id }), unlinked('category')],
  ['an object', 'articles', (id) => change(3, { category: { id } }), unlinked('category')],
  [
    'an object with values',
    'articles',
    (id) => change(3, { category: { id, name: 'A' } }),
    unlinked('category'),
  ],
  ['a parent', 'categories', (id) => change(2, { parent: id }), unlinked('parent')],
  [
    'a parent two deep',
    'articles',
    (id) => add({ title, category: { name: 'A', parent: id } }),
    unlinked('parent'),
  ],
];

const USER: Places = [
  ['a key', 'articles', (id) => add({ title, owner: id }), unlinked('owner')],
  ['an object', 'articles', (id) => add({ title, owner: { id } }), unlinked('owner')],
  [
    'an object with values',
    'articles',
    (id) => add({ title, owner: { id, first_name: 'A' } }),
    NOTHING,
  ],
];

const TAG: Places = [
  ['a list', 'articles', (id) => change(3, { tags: [id] }), unlinked('tags')],
  ['a list of a new row', 'articles', (id) => add({ title, tags: [id] }), unlinked('tags')],
  ['create', 'articles', (id) => change(1, { tags: { create: [id] } }), unlinked('tags')],
  [
    'update',
    'articles',
    (id) => change(1, { tags: { update: [{ id, name: 'A' }] } }),
    unlinked('tags'),
  ],
  ['delete', 'articles', (id) => change(1, { tags: { delete: [id] } }), NOTHING],
];

const NOTE: Places = [
  ['a list', 'articles', (id) => change(3, { notes: [id] }), unlinked('notes')],
  ['a list of a new row', 'articles', (id) => add({ title, notes: [id] }), unlinked('notes')],
  ['create', 'articles', (id) => change(1, { notes: { create: [id] } }), unlinked('notes')],
  [
    'update',
    'articles',
    (id) => change(3, { notes: { update: [{ id, text: 'A' }] } }),
    unlinked('notes'),
  ],
  ['delete', 'articles', (id) => change(3, { notes: { delete: [id] } }), NOTHING],
];

/** Ed could delete it if Ed could see it. */
const OWN_NOTE: Places = [
  ['delete', 'articles', (id) => change(1, { notes: { delete: [id] } }), NOTHING],
];

const ARTICLE: Places = [
  ['a key', 'notes', (id) => change('<one>', { article: id }), unlinked('article')],
  ['an object', 'notes', (id) => change('<one>', { article: { id } }), unlinked('article')],
  ['a list', 'categories', (id) => change(2, { articles: [1, id] }), unlinked('articles')],
  [
    'update',
    'categories',
    (id) => change(2, { articles: { update: [{ id, title }] } }),
    unlinked('articles'),
  ],
  ['delete', 'categories', (id) => change(1, { articles: { delete: [id] } }), NOTHING],
  [
    'a list two deep',
    'articles',
    (id) => change(1, { category: { id: 2, articles: { update: [id] } } }),
    unlinked('articles'),
  ],
];

const KINDS: readonly (readonly [kind: string, hidden: Id, unknown: Id, Places])[] = [
  ['category', 4, 4711, CATEGORY],
  ['user', '<ghost>', UNKNOWN, USER],
  ['tag', '<hush>', UNKNOWN, TAG],
  ['note', '<hidden>', UNKNOWN, NOTE],
  ['note of Ed’s', '<veiled>', UNKNOWN, OWN_NOTE],
  ['article', 4, 4711, ARTICLE],
];

/** The same write with the key of a hidden row and with an unknown key. */
export const pairs: readonly (readonly [Scenario, Scenario])[] = KINDS.flatMap(
  ([kind, hidden, unknown, places]) =>
    places.map(([place, collection, operation, expected]): [Scenario, Scenario] => {
      const ed = by('ed', collection);
      return [
        ed(`names a hidden ${kind} in ${place}`, operation(hidden), expected),
        ed(`names a ${kind} that does not exist in ${place}`, operation(unknown), expected),
      ];
    }),
);
