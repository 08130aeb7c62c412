import {
  add,
  by,
  change,
  forbidden,
  malformed,
  missing,
  required,
  type Scenario,
} from '../../../support/scenarios';

const ed = by('ed', 'articles');
const title = 'X';
const UNKNOWN = 'dddddddd-dddd-4ddd-8ddd-dddddddddddd';

/** A field, the value that is sent for its relation, and the field that the error names. */
const SHAPES: readonly (readonly [string, unknown, string])[] = [
  ...['x', true, 1.5, [], [1], { id: 'x' }, { id: null, name: 'A' }, { id: {} }, { id: [1] }].map(
    (sent) => ['category', sent, 'category'] as const,
  ),
  ...['x', 5, [UNKNOWN], { id: 5 }].map((sent) => ['owner', sent, 'owner'] as const),
  ...['notes', 'tags'].flatMap((field) =>
    [
      ...['x', 5, true, null, [5], ['x'], [null], [true], [[]], [{ id: 'x' }], [{ id: null }]],
      ...[1, 'x', {}, null, [null], ['x'], [[UNKNOWN]]].map((create) => ({ create })),
      ...[1, 'x', {}, null, [null], ['x'], [{ id: 5 }]].map((update) => ({ update })),
      ...[1, UNKNOWN, {}, null, [null], [{ id: UNKNOWN }], [[UNKNOWN]]].map((gone) => ({
        delete: gone,
      })),
    ].map((sent) => [field, sent, field] as const),
  ),
  ['notes', { add: [] }, 'notes.add'],
  ['notes', { id: UNKNOWN, create: [] }, 'notes.id'],
  ['notes', { id: UNKNOWN, text: 'A' }, 'notes.id'],
  ['tags', { create: [], Delete: [] }, 'tags.Delete'],
  ['notes', { update: [{ text: 'A' }] }, 'notes.update.id'],
  ['notes', { update: [{}] }, 'notes.update.id'],
  ['tags', { update: [{ name: 'A' }] }, 'tags.update.id'],
  ['category', { name: 5 }, 'name'],
  ['category', { name: ['A'] }, 'name'],
  ['notes', [{ text: 5 }], 'text'],
  ['notes', { create: [{ text: {} }] }, 'text'],
  ['tags', [{ name: true }], 'name'],
  ['category', { name: 'A', parent: 'x' }, 'parent'],
  ['category', { name: 'A', articles: 5 }, 'articles'],
  ['category', { name: 'A', articles: [1.5] }, 'articles'],
  ['category', { name: 'A', articles: [{ title, notes: 'x' }] }, 'notes'],
];

const shapes = SHAPES.flatMap(([name, sent, field]) => [
  ed(`makes ${name} of ${JSON.stringify(sent)}`, add({ title, [name]: sent }), malformed(field)),
  by('admin', 'articles')(
    `changes ${name} to ${JSON.stringify(sent)}`,
    change(1, { title, [name]: sent }),
    malformed(field),
  ),
]);

const UNKNOWN_FIELDS: readonly (readonly [string, unknown, string])[] = [
  ['category', { create: [{ name: 'A' }] }, 'create'],
  ['category', { id: 1, update: {} }, 'update'],
  ['category', { name: 'A', colour: 'red' }, 'colour'],
  ['notes', [{ text: 'A', colour: 'red' }], 'colour'],
  ['tags', { create: [{ name: 'A', create: [] }] }, 'create'],
  ['tags', [{ tags_id: UNKNOWN }], 'tags_id'],
  ['notes', { create: [{ text: 'A', __proto__x: 1 }] }, '__proto__x'],
];

const unknownFields = UNKNOWN_FIELDS.flatMap(([name, sent, field]) => [
  ed(`sends ${field} within ${name}`, change(3, { [name]: sent }), forbidden(field)),
  by('admin', 'articles')(
    `sends ${field} within ${name}: ${JSON.stringify(sent)}`,
    change(1, { [name]: sent }),
    malformed(field),
  ),
]);

const LONG = 'A'.repeat(256);

const values: Scenario[] = [
  ed('makes a nameless category', change(1, { category: {} }), required('name')),
  ed('makes one with null as its name', change(1, { category: { name: null } }), missing('name')),
  ed('makes one with a name that is too long', change(1, { category: { name: LONG } }), {
    refused: [{ code: 'VALUE_TOO_LONG', field: 'name' }],
  }),
  ed('makes one with a taken name', change(1, { category: { name: 'World' } }), {
    refused: [{ code: 'RECORD_NOT_UNIQUE', field: 'name' }],
  }),
  ed(
    'makes a note without its text',
    change(1, { notes: { create: [{ text: null }] } }),
    missing('text'),
  ),
  ed(
    'takes a note from every article',
    change(1, { notes: { update: [{ id: '<one>', article: null }] } }),
    missing('article'),
  ),
];

export const misshapen: Scenario[] = [...shapes, ...unknownFields, ...values];
