import { play, type Scenario } from '../../support/scenarios';
import { SEED } from './fixtures';

const collection = 'service_permissions';
const RULE = { collection: 'service_users', action: 'read', policy: '<sample>' };

const made = (
  it: string,
  caller: string | null,
  data: unknown,
  expected: Partial<Scenario>,
): Scenario =>
  Array.isArray(data)
    ? ({ it, caller, collection, operation: 'createMany', data, ...expected } as Scenario)
    : ({ it, caller, collection, operation: 'create', data, ...expected } as Scenario);

const byAdministrator: Scenario[] = [
  made('creates a rule, with empty values for omitted fields', 'admin', RULE, {
    shows: { ...RULE, permissions: {}, validation: {}, presets: {}, fields: [] },
  }),
  made(
    'stores a complete rule as it was sent',
    'admin',
    {
      ...RULE,
      action: 'update',
      permissions: { _or: [{ role: { name: { _eq: 'x' } } }, { id: { _eq: '$CURRENT_USER' } }] },
      validation: { password: { _nnull: true }, first_name: { _regex: '^[A-Z]' } },
      presets: { last_name: null, tags: ['a'], date_created: '$NOW' },
      fields: ['first_name', 'password'],
    },
    {
      shows: {
        permissions: { _or: [{ role: { name: { _eq: 'x' } } }, { id: { _eq: '$CURRENT_USER' } }] },
        validation: { password: { _nnull: true }, first_name: { _regex: '^[A-Z]' } },
        presets: { last_name: null, tags: ['a'], date_created: '$NOW' },
        fields: ['first_name', 'password'],
      },
    },
  ),
  made(
    'treats null as empty',
    'admin',
    { ...RULE, permissions: null, validation: null, presets: null, fields: null },
    {
      shows: { permissions: {}, validation: {}, presets: {}, fields: [] },
    },
  ),
  made(
    'accepts fields separated by commas',
    'admin',
    { ...RULE, fields: 'email, first_name' },
    {
      shows: { fields: ['email', 'first_name'] },
    },
  ),
  made('accepts the star', 'admin', { ...RULE, fields: ['*'] }, { shows: { fields: ['*'] } }),
  made('answers with the requested fields', 'admin', RULE, {
    query: { fields: ['action', 'policy.name'] },
    gives: { action: 'read', policy: { name: 'sample' } },
  }),
  made('answers with counts', 'admin', RULE, {
    query: { fields: ['action'], meta: ['total_count'] },
    meta: { total_count: expect.any(Number) as number },
  }),
  made(
    'creates many, in their order',
    'admin',
    ['share', 'read', 'comment'].map((action) => ({ ...RULE, action })),
    { shows: ['share', 'read', 'comment'].map((action) => ({ action })) },
  ),
  made(
    'gives a rule the id that was sent',
    'admin',
    { ...RULE, id: 4242 },
    {
      shows: { id: 4242 },
      stored: { [collection]: { '<sample#1>': { action: 'read' } } },
    },
  ),
  made(
    'never overwrites a rule by its id',
    'admin',
    { ...RULE, id: '<sample#1>' },
    {
      refused: [{ code: 'RECORD_NOT_UNIQUE', field: 'id' }],
    },
  ),
  made('creates none of many if one is wrong', 'admin', [RULE, { ...RULE, action: 'fly' }, RULE], {
    refused: [{ code: 'FAILED_VALIDATION', field: 'action' }],
  }),
  made(
    'creates none of many if the database refuses one',
    'admin',
    [RULE, { ...RULE, policy: '<rita>' }],
    {
      refused: [{ code: 'INVALID_FOREIGN_KEY', field: 'policy' }],
    },
  ),
  made('does nothing with an empty list', 'admin', [], { gives: [] }),
  made('refuses to answer with an unknown field, and creates nothing', 'admin', RULE, {
    query: { fields: ['nonsense'] },
    refused: 'FORBIDDEN',
  }),
  ...[null, 'text', 7, true, [[RULE]], [null]].map((data): Scenario =>
    made(`refuses ${JSON.stringify(data)} for a rule`, 'admin', data, {
      refused: 'INVALID_PAYLOAD',
    }),
  ),
];

const OWN_RULE = { collection: 'service_roles', action: 'read', policy: '<sample>' };

const byRule: Scenario[] = [
  made('lets a writer create what their rule allows, with its presets', 'will', OWN_RULE, {
    shows: { ...OWN_RULE, permissions: { id: { _eq: '$CURRENT_USER' } } },
  }),
  made(
    'refuses a field that the rule does not list',
    'will',
    { ...OWN_RULE, presets: {} },
    {
      refused: 'FORBIDDEN',
    },
  ),
  made(
    'refuses a field that does not exist in the same way',
    'will',
    { ...OWN_RULE, nonsense: {} },
    {
      refused: 'FORBIDDEN',
    },
  ),
  made(
    'names the field that fails the validation',
    'will',
    { ...OWN_RULE, action: 'delete' },
    {
      refused: [
        { code: 'FAILED_VALIDATION', field: 'action', type: 'in', valid: ['read', 'update'] },
      ],
    },
  ),
  ...['<readers>', '<all>', '<rita>'].flatMap((policy) => [
    made(
      `refuses a writer to write to the policy ${policy}`,
      'will',
      { ...OWN_RULE, policy },
      {
        refused: 'FORBIDDEN',
      },
    ),
    made(
      `shows nothing of ${policy} to callers who may not read policies`,
      'bo',
      { ...OWN_RULE, policy },
      {
        refused: [{ code: 'INVALID_FOREIGN_KEY', field: 'policy' }],
      },
    ),
  ]),
  made('creates none if one is not allowed', 'will', [OWN_RULE, { ...OWN_RULE, action: 'share' }], {
    refused: 'FAILED_VALIDATION',
  }),
  made('refuses callers who may create no rules', 'ned', OWN_RULE, { refused: 'FORBIDDEN' }),
  made('refuses callers who may only read', 'rita', OWN_RULE, { refused: 'FORBIDDEN' }),
  made('refuses callers who are not signed in', null, OWN_RULE, { refused: 'FORBIDDEN' }),
];

describe('creating permission rules', () => {
  play({ seed: SEED, scenarios: [...byAdministrator, ...byRule] });
});
