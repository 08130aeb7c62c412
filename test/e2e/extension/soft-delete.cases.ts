import type { Scenario } from '../../support/scenarios';
import {
  add,
  addAll,
  by,
  change,
  dropAll,
  dropWhere,
  forbidden,
  malformed,
  unlinked,
} from '../../support/scenarios';
import { drop, FILES, ids, list, one } from './soft-delete.fixtures';

const restOnly = 'GraphQL has no such argument';
const badQuery = { refused: 'INVALID_QUERY' } as const;
const deleted_at = expect.stringMatching(/Z$/) as unknown as string;
const moment: unknown = expect.anything();

const ann = by('ann', 'folders');
const bob = by('bob', 'folders');

const absent: Scenario[] = [
  ann('sees no deleted item', list(), ids(1, 3, 6)),
  by('admin', 'folders')('sees none either', list(), ids(1, 3, 6)),
  ann('finds none by its key', one(2), forbidden(undefined)),
  ann('finds none by a search', list({ search: 'old' }), ids()),
  ann('finds none by a filter', list({ filter: { deleted_at: { _nnull: true } } }), ids()),
  ann('counts none', list({ meta: ['*'] }), { meta: { total_count: 3, filter_count: 3 } }),
  ann(
    'finds nothing by filters on deleted items of a list',
    list({ filter: { files: { name: { _eq: 'b' } } } }),
    ids(),
  ),
  ann(
    'finds items whose lists have only deleted items',
    list({ filter: { folders: { _none: {} } } }),
    ids(3, 6),
  ),
  {
    ...ann(
      'counts the live items of a list',
      list({ filter: { 'count(files)': { _eq: 1 } } }),
      ids(1),
    ),
    restOnly,
  },
  ann('sees the live items of a list', one(1, { fields: ['files.name', 'folders.name'] }), {
    gives: { files: [{ name: 'a' }], folders: [{ name: 'Open' }] },
  }),
  by('ann', 'labels')('sees the live ends of links', one(1, { fields: ['folders.id'] }), {
    gives: { folders: [{ id: 1 }] },
  }),
  by('ann', 'files')(
    'sees nothing behind a key that leads to a deleted item',
    list({ fields: ['name', 'folder.name'] }),
    {
      gives: [
        { name: 'a', folder: { name: 'Root' } },
        { name: 'c', folder: null },
      ],
    },
  ),
  by('ann', 'files')(
    'finds nothing by filters on a deleted item',
    list({ fields: ['name'], filter: { folder: { name: { _neq: 'x' } } } }),
    {
      gives: [{ name: 'a' }],
    },
  ),
  by('cy', 'folders')('sees by a rule only items with live items in a list', list(), ids(1)),
];

const shown: Scenario[] = [
  ann('asks for deleted items too', list({ deleted: 'with' }), ids(1, 2, 3, 4, 5, 6)),
  ann(
    'asks for deleted items alone',
    list({ deleted: 'only', fields: ['id', 'deleted_at'], limit: 1 }),
    {
      gives: [{ id: 2, deleted_at }],
    },
  ),
  ann('counts those', list({ deleted: 'only', meta: ['*'], filter: { id: { _gt: 2 } } }), {
    meta: { total_count: 3, filter_count: 2 },
  }),
  ann(
    'searches in a body',
    { operation: 'search', query: { fields: ['id'], deleted: 'only' } },
    ids(2, 4, 5),
  ),
  by('admin', 'folders')('asks for deleted items alone', list({ deleted: 'only' }), ids(2, 4, 5)),
  ann(
    'sees live items in the lists of deleted ones',
    one(2, { deleted: 'only', fields: ['files.name', 'parent.id'] }),
    {
      gives: { files: [{ name: 'c' }], parent: { id: 1 } },
    },
  ),
  ann('sees only live items in lists', one(1, { deleted: 'with', fields: ['files.name'] }), {
    gives: { files: [{ name: 'a' }] },
  }),
  ann(
    'does not get a live item among the deleted ones',
    one(1, { deleted: 'only' }),
    forbidden(undefined),
  ),
  bob(
    'is shown deleted items that he may delete and read',
    list({ deleted: 'only', fields: ['*'] }),
    {
      gives: [{ id: 2, name: 'Old', parent: 1 }],
    },
  ),
  bob('is shown those with the others', list({ deleted: 'with' }), ids(1, 2, 3, 6)),
  bob('is shown no other', one(5, { deleted: 'only' }), forbidden(undefined)),
  by('cy', 'folders')(
    'is shown none without the right to delete',
    list({ deleted: 'only' }),
    ids(),
  ),
  by('cy', 'folders')('is shown the live ones', list({ deleted: 'with' }), ids(1)),
  ...[
    ann('cannot ask for anything else', list({ deleted: 'no' }), badQuery),
    by('ann', 'labels')(
      'cannot ask where deleted items are not kept',
      list({ deleted: 'with' }),
      badQuery,
    ),
    ann('cannot ask for them in a list', list({ deep: { files: { _deleted: 'with' } } }), badQuery),
    ann('cannot ask for them in the answer to a write', change(3, { name: 'New' }), {
      ...badQuery,
      query: { deleted: 'with' },
    }),
    ann('cannot select them for a delete', dropWhere({ deleted: 'only' }), badQuery),
  ].map((each) => ({ ...each, restOnly })),
];

const deleted = { deleted_at: moment };
const gone = { gone: moment };

const writes: Scenario[] = [
  ann('deletes an item and all rows that cascade', drop(1), {
    changes: {
      folders: { changed: { 1: deleted, 3: deleted } },
      files: { changed: { [FILES.a]: gone } },
      pins: { removed: [{ id: 1 }], changed: { 2: { near: null } } },
    },
  }),
  by('ann', 'files')('deletes several', dropAll(FILES.a, FILES.c), {
    changes: { files: { changed: { [FILES.a]: gone, [FILES.c]: gone } } },
  }),
  ann('deletes by a query', dropWhere({ filter: { name: { _eq: 'Root' } } }), {
    stored: { files: { [FILES.a]: gone, [FILES.c]: { gone: null } } },
  }),
  ann('cannot delete an item twice', drop(2), forbidden(undefined)),
  bob('cannot delete an item twice', drop(2), forbidden(undefined)),
  bob('cannot delete an item without a rule', drop(1), forbidden(undefined)),
  ann('cannot delete an item to which another refers', drop(6), unlinked('holds')),
  bob('cannot delete an item to which one refers by another field', drop(3), unlinked(undefined)),
  by('ann', 'files')('deletes an item that refers to another', drop(FILES.a), {
    changes: { files: { changed: { [FILES.a]: gone } } },
  }),
  ann('deletes an item of a list', change(1, { files: { delete: [FILES.a] } }), {
    changes: { files: { changed: { [FILES.a]: gone } } },
  }),
  ann('deletes an item that is left out of a list', change(1, { files: [] }), {
    changes: { files: { changed: { [FILES.a]: gone } } },
  }),
  ann('cannot change a deleted item', change(2, { name: 'New' }), forbidden(undefined)),
  ann(
    'cannot set when an item was deleted',
    change(3, { deleted_at: null }),
    malformed('deleted_at'),
  ),
  by('admin', 'folders')(
    'cannot set it either',
    change(3, { deleted_at: '2024-01-01' }),
    malformed('deleted_at'),
  ),
  ann(
    'cannot create a deleted item',
    add({ name: 'New', deleted_at: '2024-01-01' }),
    malformed('deleted_at'),
  ),
  ann('gives a new item the name of a deleted one', add({ name: 'Old' }), {
    shows: { name: 'Old' },
  }),
  ann('cannot give it the name of a live one', add({ name: 'Open' }), {
    refused: [{ code: 'RECORD_NOT_UNIQUE', field: 'name' }],
  }),
  by('ann', 'files')(
    'gives a new item the unique reference of a deleted one',
    add({ name: 'd', folder: 1, home: 1 }),
    {
      shows: { home: 1 },
    },
  ),
];

const leading: Scenario[] = [
  ...['ann', 'bob', 'admin'].flatMap((caller) => [
    by(caller, 'files')(
      'cannot refer to a deleted item',
      add({ name: 'd', folder: 2 }),
      unlinked('folder'),
    ),
    by(caller, 'files')(
      'cannot do so with many',
      addAll(...[1, 1, 1, 2, 1].map((folder) => ({ name: 'd', folder }))),
      unlinked('folder'),
    ),
  ]),
  by('ann', 'files')(
    'cannot move an item to a deleted one',
    change(FILES.a, { folder: 2 }),
    unlinked('folder'),
  ),
  by('ann', 'files')('changes an item that still refers to one', change(FILES.c, { name: 'C' }), {
    shows: { name: 'C' },
  }),
  by('ann', 'labels')(
    'cannot link a deleted item',
    change(1, { folders: [1, 2] }),
    unlinked('folders'),
  ),
  by('ann', 'files')(
    'cannot write one in a nested write',
    add({ name: 'd', folder: { id: 2, name: 'New' } }),
    unlinked('folder'),
  ),
  by('dee', 'pins')('cannot refer to one by a preset', add({ with: 3 }), unlinked(undefined)),
];

export const scenarios = [...absent, ...shown, ...writes, ...leading];
