import { play, type Scenario } from '../../support/scenarios';
import { SEED } from './fixtures';

const collection = 'service_permissions';
const OF_SAMPLE = { policy: { _eq: '<sample>' } };

const first = {
  id: '<sample#1>',
  collection: 'service_users',
  action: 'read',
  permissions: { status: { _eq: 'active' } },
  validation: {},
  presets: {},
  fields: ['email', 'first_name'],
  policy: '<sample>',
};
const second = {
  id: '<sample#2>',
  collection: 'service_users',
  action: 'update',
  permissions: { id: { _eq: '$CURRENT_USER' } },
  validation: { first_name: { _nempty: true } },
  presets: { title: 'Dr' },
  fields: ['first_name'],
  policy: '<sample>',
};
const third = {
  id: '<sample#3>',
  collection: 'service_roles',
  action: 'delete',
  permissions: { name: { _eq: 'spare' } },
  validation: {},
  presets: {},
  fields: [],
  policy: '<sample>',
};

const asking = (it: string, query: Scenario['query'], expected: object): Scenario => ({
  it,
  caller: 'admin',
  collection,
  operation: 'list',
  query: { filter: OF_SAMPLE, ...query },
  ...expected,
});

const ids = (...names: string[]): object => ({ gives: names.map((id) => ({ id })) });

const queries: Scenario[] = [
  asking(
    'returns complete rules, in the order of their keys',
    {},
    { shows: [first, second, third] },
  ),
  asking(
    'returns the requested fields',
    { fields: ['action', 'policy'] },
    {
      gives: ['read', 'update', 'delete'].map((action) => ({ action, policy: '<sample>' })),
    },
  ),
  asking(
    'reads fields of the policy',
    { fields: ['id', 'policy.name', 'policy.id'], limit: 1 },
    {
      gives: [{ id: '<sample#1>', policy: { name: 'sample', id: '<sample>' } }],
    },
  ),
  asking(
    'reads fields of the policy with the columns',
    { fields: ['*', 'policy.name'], limit: 1 },
    {
      shows: [{ ...first, policy: { name: 'sample' } }],
    },
  ),
  asking(
    'reads all fields of the policy',
    { fields: ['id', 'policy.*'], limit: 1 },
    {
      shows: [
        { id: '<sample#1>', policy: { id: '<sample>', name: 'sample', admin_access: false } },
      ],
    },
  ),
  asking(
    'filters',
    { fields: ['id'], filter: { ...OF_SAMPLE, action: { _eq: 'update' } } },
    ids('<sample#2>'),
  ),
  asking(
    'filters through the policy',
    { fields: ['id'], filter: { policy: { name: { _eq: 'sample' } }, action: { _neq: 'read' } } },
    ids('<sample#2>', '<sample#3>'),
  ),
  asking(
    'filters by _and and _or',
    {
      fields: ['id'],
      filter: {
        _and: [
          OF_SAMPLE,
          { _or: [{ action: { _eq: 'read' } }, { collection: { _contains: 'roles' } }] },
        ],
      },
    },
    ids('<sample#1>', '<sample#3>'),
  ),
  asking('searches', { fields: ['id'], search: 'ROLES' }, ids('<sample#3>')),
  asking(
    'sorts',
    { fields: ['id'], sort: ['action'] },
    ids('<sample#3>', '<sample#1>', '<sample#2>'),
  ),
  asking(
    'sorts in descending order',
    { fields: ['id'], sort: ['-id'] },
    ids('<sample#3>', '<sample#2>', '<sample#1>'),
  ),
  asking(
    'sorts by the first field first',
    { fields: ['id'], sort: ['-collection', '-action'] },
    ids('<sample#2>', '<sample#1>', '<sample#3>'),
  ),
  asking('limits', { fields: ['id'], limit: 2 }, ids('<sample#1>', '<sample#2>')),
  asking('limits to 0', { fields: ['id'], limit: 0 }, { gives: [] }),
  asking(
    'returns all for -1',
    { fields: ['id'], limit: -1 },
    ids('<sample#1>', '<sample#2>', '<sample#3>'),
  ),
  asking('skips', { fields: ['id'], offset: 2 }, ids('<sample#3>')),
  asking('returns a page', { fields: ['id'], limit: 2, page: 2 }, ids('<sample#3>')),
  asking(
    'is empty beyond the last page, but still counts',
    { limit: 2, page: 9, meta: ['filter_count'] },
    {
      gives: [],
      meta: { filter_count: 3 },
    },
  ),
  asking(
    'counts what the filter matches',
    { fields: ['id'], limit: 1, meta: ['filter_count'] },
    {
      ...ids('<sample#1>'),
      meta: { filter_count: 3 },
    },
  ),
  asking(
    'counts what the search matches',
    { limit: 1, search: 'roles', meta: ['filter_count'] },
    {
      meta: { filter_count: 1 },
    },
  ),
  asking(
    'returns both counts',
    { fields: ['id'], limit: 1, meta: ['*'] },
    {
      meta: { total_count: expect.any(Number) as number, filter_count: 3 },
    },
  ),
  asking(
    'gives a field another name',
    { fields: ['what', 'id'], alias: { what: 'action' }, limit: 1 },
    {
      gives: [{ what: 'read', id: '<sample#1>' }],
    },
  ),
  asking(
    'reads relations of a relation',
    {
      fields: ['id', 'policy.permissions'],
      limit: 1,
      deep: { policy: { permissions: { _sort: '-id', _limit: 2 } } },
    },
    { gives: [{ id: '<sample#1>', policy: { permissions: ['<sample#3>', '<sample#2>'] } }] },
  ),
];

const one = (
  it: string,
  caller: string | null,
  id: string | number,
  expected: object,
): Scenario => ({
  it,
  caller,
  collection,
  operation: 'one',
  id,
  ...expected,
});

const single: Scenario[] = [
  one('returns one rule', 'admin', '<sample#2>', { shows: second }),
  one('returns some fields of it', 'admin', '<sample#2>', {
    query: { fields: ['action', 'policy.name'] },
    gives: { action: 'update', policy: { name: 'sample' } },
  }),
  one('returns counts with it', 'admin', '<sample#1>', {
    query: { fields: ['id'], meta: ['total_count'] },
    meta: { total_count: expect.any(Number) as number },
  }),
  ...[999_999, '99999999999999999999', 'one', '1.5', '-1', '<sample>'].map((id) =>
    one(`refuses the unknown rule ${id}`, 'admin', id, { refused: 'FORBIDDEN' }),
  ),
  one('refuses a list parameter', 'admin', '<sample#1>', {
    query: { limit: 1 },
    restOnly: 'GraphQL has no such argument here',
    refused: [{ code: 'INVALID_QUERY', field: 'limit' }],
  }),
];

const visible = { collection: 'service_users', policy: '<sample>' };

const bounded: Scenario[] = [
  {
    it: 'shows a reader their rows and fields, and no others',
    caller: 'rita',
    collection,
    operation: 'list',
    query: { meta: ['*'] },
    gives: [
      { id: '<sample#1>', action: 'read', ...visible },
      { id: '<sample#2>', action: 'update', ...visible },
    ],
    meta: { total_count: 2, filter_count: 2 },
    hides: ['service_roles', 'first_name'],
  },
  {
    it: 'reads the query from the body of a SEARCH',
    caller: 'rita',
    collection,
    operation: 'search',
    query: { filter: { action: { _eq: 'update' } }, fields: ['id'], meta: ['filter_count'] },
    gives: [{ id: '<sample#2>' }],
    meta: { filter_count: 1 },
  },
  one('shows a reader a row that their rule reaches', 'rita', '<sample#1>', {
    restOnly: 'the policy, which they may not read, shows its key, and in GraphQL it is an object',
    gives: { id: '<sample#1>', action: 'read', ...visible },
  }),
  one('hides a row that the rule does not reach', 'rita', '<sample#3>', { refused: 'FORBIDDEN' }),
  one('hides everything from callers who are not signed in', null, '<sample#1>', {
    refused: 'FORBIDDEN',
  }),
  ...['rita', 'ned', 'bo'].map((caller): Scenario => ({
    it: `refuses ${caller} a field that is not granted`,
    caller,
    collection,
    operation: 'list',
    query: { fields: ['presets'] },
    refused: 'FORBIDDEN',
  })),
  {
    it: 'refuses callers who may read no rules',
    caller: 'ned',
    collection,
    operation: 'list',
    refused: 'FORBIDDEN',
  },
  {
    it: 'refuses callers who are not signed in',
    caller: null,
    collection,
    operation: 'search',
    query: {},
    refused: 'FORBIDDEN',
  },
];

describe('reading permission rules', () => {
  play({ seed: SEED, scenarios: [...queries, ...single, ...bounded] });
});
