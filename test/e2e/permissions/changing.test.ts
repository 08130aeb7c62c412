import { play, type Scenario } from '../../support/scenarios';
import { SEED } from './fixtures';

const collection = 'service_permissions';
const [FIRST, SECOND, THIRD] = ['<sample#1>', '<sample#2>', '<sample#3>'];
const stored = (rows: Record<string, object | null>): Scenario['stored'] => ({
  [collection]: rows,
});

const one = (
  it: string,
  caller: string | null,
  id: string | number,
  data: unknown,
  expected: Partial<Scenario>,
): Scenario => ({ it, caller, collection, operation: 'update', id, data, ...expected }) as Scenario;

const single: Scenario[] = [
  one(
    'changes only the fields that were sent',
    'admin',
    SECOND,
    { fields: ['title'] },
    {
      shows: { id: SECOND, fields: ['title'], action: 'update', presets: { title: 'Dr' } },
      stored: stored({ [FIRST]: { fields: ['email', 'first_name'] } }),
    },
  ),
  one(
    'replaces an object, and does not merge',
    'admin',
    SECOND,
    { presets: { language: 'en' } },
    {
      shows: { presets: { language: 'en' } },
    },
  ),
  one(
    'empties fields that are sent as null',
    'admin',
    SECOND,
    { presets: null, validation: null, fields: null },
    {
      shows: { presets: {}, validation: {}, fields: [] },
    },
  ),
  one(
    'accepts its own id',
    'admin',
    FIRST,
    { id: FIRST, fields: ['email'] },
    { shows: { id: FIRST } },
  ),
  one(
    'refuses another id',
    'admin',
    FIRST,
    { id: SECOND, fields: [] },
    {
      refused: [{ code: 'INVALID_PAYLOAD', field: 'id' }],
    },
  ),
  one(
    'changes nothing with an empty body',
    'admin',
    FIRST,
    {},
    { shows: { id: FIRST, action: 'read' } },
  ),
  one(
    'answers with the fields and counts that were asked for',
    'admin',
    FIRST,
    { fields: ['*'] },
    {
      query: { fields: ['fields'], meta: ['filter_count'] },
      gives: { fields: ['*'] },
      meta: { filter_count: expect.any(Number) as number },
    },
  ),
  one(
    'judges the rule that results',
    'admin',
    SECOND,
    { collection: 'service_roles' },
    {
      refused: [{ code: 'INVALID_PAYLOAD' }],
    },
  ),
  ...['<sample>', 999_999, '99999999999999999999', 'x', '1e1'].map((id) =>
    one(`refuses the unknown rule ${id}`, 'admin', id, { fields: [] }, { refused: 'FORBIDDEN' }),
  ),
  ...[null, 'text', 7, [7]].map((data) =>
    one(`refuses ${JSON.stringify(data)}`, 'admin', FIRST, data, { refused: 'INVALID_PAYLOAD' }),
  ),
  one(
    'lets a writer change what their rule allows',
    'will',
    FIRST,
    { fields: ['*'] },
    {
      shows: { id: FIRST, fields: ['*'] },
    },
  ),
  one(
    'refuses a field that the rule does not list',
    'will',
    FIRST,
    { presets: {} },
    { refused: 'FORBIDDEN' },
  ),
  one(
    'refuses a row that the rule does not reach',
    'will',
    '<readers#1>',
    { fields: [] },
    { refused: 'FORBIDDEN' },
  ),
  one(
    'refuses a resulting row that fails the validation',
    'will',
    FIRST,
    { action: 'delete' },
    {
      refused: [{ code: 'FAILED_VALIDATION', field: 'action', type: 'in' }],
    },
  ),
  one(
    'checks fields that were not sent as well, without naming them',
    'will',
    THIRD,
    { fields: [] },
    {
      refused: [{ code: 'FAILED_VALIDATION', field: undefined }],
    },
  ),
  one(
    'answers nothing to callers who may not read',
    'bo',
    FIRST,
    { fields: ['id'] },
    {
      silent: true,
      stored: stored({ [FIRST]: { fields: ['id'] } }),
    },
  ),
  one(
    'refuses callers who may change no rules',
    'rita',
    FIRST,
    { fields: [] },
    { refused: 'FORBIDDEN' },
  ),
  one(
    'refuses callers who are not signed in',
    null,
    FIRST,
    { fields: [] },
    { refused: 'FORBIDDEN' },
  ),
];

const many: Scenario[] = [
  {
    it: 'gives several rules the same values, in the order of the ids',
    caller: 'admin',
    collection,
    operation: 'updateMany',
    ids: [THIRD, FIRST],
    data: { fields: ['id'] },
    query: { fields: ['id', 'fields'], meta: ['*'] },
    gives: [THIRD, FIRST].map((id) => ({ id, fields: ['id'] })),
    stored: stored({ [SECOND]: { fields: ['first_name'] } }),
  },
  {
    it: 'gives all rules that a query finds the same values',
    caller: 'admin',
    collection,
    operation: 'updateWhere',
    where: { filter: { policy: { _eq: '<sample>' }, collection: { _eq: 'service_users' } } },
    data: { fields: ['id'] },
    shows: [{ id: FIRST }, { id: SECOND }],
    stored: stored({ [FIRST]: { fields: ['id'] }, [THIRD]: { fields: [] } }),
  },
  {
    it: 'uses limit and sort of the query',
    caller: 'admin',
    collection,
    operation: 'updateWhere',
    where: { filter: { policy: { _eq: '<sample>' } }, sort: ['-id'], limit: 1 },
    data: { fields: ['id'] },
    shows: [{ id: THIRD, fields: ['id'] }],
    stored: stored({ [FIRST]: { fields: ['email', 'first_name'] } }),
  },
  {
    it: 'changes none if a query finds none',
    caller: 'admin',
    collection,
    operation: 'updateWhere',
    where: { filter: { collection: { _eq: 'nothing' } } },
    data: { fields: ['id'] },
    gives: [],
  },
  {
    it: 'gives each rule its own values',
    caller: 'admin',
    collection,
    operation: 'updateEach',
    data: [
      { id: SECOND, fields: ['title'] },
      { id: FIRST, action: 'share' },
    ],
    shows: [
      { id: SECOND, fields: ['title'], action: 'update' },
      { id: FIRST, fields: ['email', 'first_name'], action: 'share' },
    ],
  },
  ...(
    [
      [
        'an id twice',
        [
          { id: FIRST, fields: [] },
          { id: FIRST, fields: ['id'] },
        ],
      ],
      ['no id', [{ id: FIRST, fields: [] }, { fields: ['id'] }]],
      ['an id that is an object', [{ id: {}, fields: [] }]],
      ['an id that is null', [{ id: null, fields: [] }]],
    ] as const
  ).map(([what, data]): Scenario => ({
    it: `refuses ${what} among many`,
    caller: 'admin',
    collection,
    operation: 'updateEach',
    data,
    refused: [{ code: 'INVALID_PAYLOAD', field: 'id' }],
  })),
  ...[
    ['the same id twice', [FIRST, FIRST], 'INVALID_PAYLOAD'],
    ['an unknown id', [FIRST, 999_999], 'FORBIDDEN'],
    ['an id of another type', [FIRST, 'x'], 'FORBIDDEN'],
    ['an id that is a list', [[FIRST]], 'INVALID_PAYLOAD'],
  ].map(([what, ids, refused]): Scenario => ({
    it: `changes none of many with ${String(what)}`,
    caller: 'admin',
    collection,
    operation: 'updateMany',
    ids: ids as unknown[],
    data: { fields: ['id'] },
    refused: refused as string,
  })),
  {
    it: 'changes none if one is out of reach',
    caller: 'will',
    collection,
    operation: 'updateMany',
    ids: [FIRST, '<readers#1>'],
    data: { fields: ['id'] },
    refused: 'FORBIDDEN',
  },
  {
    it: 'changes none that a query finds if one may not be changed',
    caller: 'will',
    collection,
    operation: 'updateWhere',
    where: {},
    data: { fields: ['id'] },
    refused: 'FAILED_VALIDATION',
  },
  {
    it: 'finds by a query only what the caller sees',
    caller: 'will',
    collection,
    operation: 'updateWhere',
    where: { filter: { collection: { _neq: 'service_roles' } } },
    data: { fields: ['id'] },
    shows: [{ id: FIRST }, { id: SECOND }],
    stored: stored({ '<readers#1>': { fields: ['collection', 'action', 'policy'] } }),
  },
  {
    it: 'refuses a query over fields that the caller cannot see',
    caller: 'bo',
    collection,
    operation: 'updateWhere',
    where: { filter: { action: { _eq: 'read' } } },
    data: { fields: ['id'] },
    refused: 'FORBIDDEN',
  },
];

describe('changing permission rules', () => {
  play({ seed: SEED, scenarios: [...single, ...many] });
});
