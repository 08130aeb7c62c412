import { play, type Scenario } from '../../support/scenarios';
import { SEED } from './fixtures';

const policies = 'service_policies';
const access = 'service_access';

const made = (it: string, collection: string, data: unknown, expected: object): Scenario =>
  ({ it, caller: 'admin', collection, operation: 'create', data, ...expected }) as Scenario;

const networks = (what: string, ip_access: unknown, code = 'INVALID_PAYLOAD'): Scenario[] => {
  const refused = [{ code, field: 'ip_access' }];
  return [
    made(`refuses a policy with ${what}`, policies, { name: 'x', ip_access }, { refused }),
    {
      it: `refuses an update to ${what}`,
      caller: 'admin',
      collection: policies,
      operation: 'update',
      id: '<own>',
      data: { ip_access },
      refused,
    },
  ];
};

describe('policies', () => {
  play({
    seed: SEED,
    scenarios: [
      made(
        'creates a policy with a name',
        policies,
        { name: 'new' },
        {
          shows: {
            name: 'new',
            ip_access: [],
            enforce_tfa: false,
            admin_access: false,
            app_access: false,
          },
        },
      ),
      made(
        'creates a policy with networks, users and roles',
        policies,
        {
          name: 'new',
          ip_access: ['10.0.0.1', '10.0.0.0/8', '::1', '2001:db8::/32'],
          users: ['<ann>'],
          roles: ['<spare>'],
        },
        {
          query: { fields: ['ip_access', 'users', 'roles', 'permissions'] },
          gives: {
            ip_access: ['10.0.0.1', '10.0.0.0/8', '::1', '2001:db8::/32'],
            users: ['<ann>'],
            roles: ['<spare>'],
            permissions: [],
          },
        },
      ),
      ...networks('an invalid network', ['10.0.0.0/33']),
      ...networks('a name instead of a network', ['localhost']),
      ...networks('half an address', ['10.0.0']),
      ...networks('a network with two masks', ['10.0.0.0/8/8']),
      ...networks('an empty network', ['']),
      ...networks('a network that is null', [null]),
      ...networks('networks that are text', '10.0.0.0/8'),
      made(
        'refuses one without a name',
        policies,
        {},
        {
          refused: [{ code: 'FAILED_VALIDATION', field: 'name', type: 'required' }],
        },
      ),
      made(
        'refuses one with a flag that is text',
        policies,
        { name: 'x', admin_access: 'yes' },
        {
          refused: [{ code: 'INVALID_PAYLOAD', field: 'admin_access' }],
        },
      ),
      {
        it: 'shows the rules of a policy by their ids',
        caller: 'admin',
        collection: policies,
        operation: 'one',
        id: '<own>',
        query: { fields: ['name', 'permissions', 'roles'] },
        gives: { name: 'own', permissions: ['<own#1>', '<own#2>'], roles: ['<company>'] },
      },
      {
        it: 'deletes a policy, its rules and access rows',
        caller: 'admin',
        collection: policies,
        operation: 'delete',
        id: '<own>',
        silent: true,
        stored: {
          [policies]: { '<own>': null },
          service_permissions: { '<own#1>': null, '<own#2>': null, '<team#1>': {} },
          service_roles: { '<company>': {} },
        },
      },
      {
        it: 'refuses ann',
        caller: 'ann',
        collection: policies,
        operation: 'list',
        refused: 'FORBIDDEN',
      },
      {
        it: 'refuses callers who are not signed in',
        caller: null,
        collection: policies,
        operation: 'list',
        refused: 'FORBIDDEN',
      },
    ],
  });
});

const unique = { refused: [{ code: 'RECORD_NOT_UNIQUE' }] };

describe('access', () => {
  play({
    seed: SEED,
    scenarios: [
      made(
        'attaches a policy to a user',
        access,
        { policy: '<empty>', user: '<ann>' },
        {
          shows: { policy: '<empty>', user: '<ann>', role: null, expires_at: null },
        },
      ),
      made(
        'attaches a policy to a role for a while',
        access,
        { policy: '<empty>', role: '<spare>', expires_at: '2030-01-02T03:04:05+01:00' },
        {
          shows: { role: '<spare>', expires_at: '2030-01-02T02:04:05.000Z' },
        },
      ),
      made(
        'attaches a policy to everyone',
        access,
        { policy: '<empty>' },
        {
          shows: { policy: '<empty>', user: null, role: null },
        },
      ),
      made(
        'shows the attached policy and user in the answer',
        access,
        { policy: '<empty>', user: '<ann>' },
        {
          query: { fields: ['policy.name', 'user.first_name', 'role.name'] },
          gives: { policy: { name: 'empty' }, user: { first_name: 'Ann' }, role: null },
        },
      ),
      made(
        'attaches nothing to a user and a role at once',
        access,
        { policy: '<empty>', user: '<ann>', role: '<staff>' },
        {
          refused: [{ code: 'FAILED_VALIDATION', field: 'role' }],
        },
      ),
      made(
        'attaches nothing to a user twice',
        access,
        { policy: '<settler>', user: '<cid>' },
        unique,
      ),
      made(
        'attaches nothing to a role twice',
        access,
        { policy: '<team>', role: '<staff>' },
        unique,
      ),
      made('attaches nothing to everyone twice', access, { policy: '<public>' }, unique),
      made(
        'refuses a policy that does not exist',
        access,
        { policy: '<ann>', user: '<ann>' },
        {
          refused: [{ code: 'INVALID_FOREIGN_KEY', field: 'policy' }],
        },
      ),
      made(
        'refuses a user who does not exist',
        access,
        { policy: '<empty>', user: '<empty>' },
        {
          refused: [{ code: 'INVALID_FOREIGN_KEY', field: 'user' }],
        },
      ),
      made(
        'attaches nothing without a policy',
        access,
        { user: '<ann>' },
        {
          refused: [{ code: 'FAILED_VALIDATION', field: 'policy', type: 'required' }],
        },
      ),
      made(
        'refuses an hour without minutes',
        access,
        { policy: '<empty>', expires_at: '2030-01-01T12' },
        {
          refused: [{ code: 'INVALID_PAYLOAD', field: 'expires_at' }],
        },
      ),
      made(
        'refuses the year 10000',
        access,
        { policy: '<empty>', expires_at: '+010000-01-01T00:00:00Z' },
        {
          refused: [{ code: 'INVALID_PAYLOAD', field: 'expires_at' }],
        },
      ),
      {
        it: 'refuses to add a role to the access of a user',
        caller: 'admin',
        collection: access,
        operation: 'updateWhere',
        where: { filter: { user: { _eq: '<cid>' } } },
        data: { role: '<spare>' },
        refused: [{ code: 'FAILED_VALIDATION', field: 'role' }],
      },
      {
        it: 'refuses to add a user to the access of a role',
        caller: 'admin',
        collection: access,
        operation: 'updateWhere',
        where: { filter: { role: { _eq: '<staff>' }, policy: { _eq: '<team>' } } },
        data: { user: '<ann>' },
        refused: [{ code: 'FAILED_VALIDATION', field: 'user' }],
      },
      {
        it: 'moves access from a user to a role',
        caller: 'admin',
        collection: access,
        operation: 'updateWhere',
        where: { filter: { user: { _eq: '<cid>' }, policy: { _eq: '<settler>' } } },
        data: { role: '<spare>', user: null },
        shows: [{ policy: '<settler>', user: null, role: '<spare>' }],
      },
      {
        it: 'deletes the access rows that a query finds',
        caller: 'admin',
        collection: access,
        operation: 'deleteWhere',
        where: { filter: { user: { _eq: '<cid>' } } },
        silent: true,
      },
      {
        it: 'refuses ann',
        caller: 'ann',
        collection: access,
        operation: 'create',
        data: { policy: '<all>', user: '<ann>' },
        refused: 'FORBIDDEN',
      },
      {
        it: 'refuses callers who are not signed in',
        caller: null,
        collection: access,
        operation: 'list',
        refused: 'FORBIDDEN',
      },
    ],
  });
});
