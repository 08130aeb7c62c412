import {
  add,
  addAll,
  by,
  change,
  changeAll,
  changeEach,
  dropAll,
  forbidden,
  malformed,
  numbered,
  playIn,
  type Scenario,
} from '../support/scenarios';
import { openDelegation } from './delegation';

const users = by('dele', 'service_users');
const roles = by('dele', 'service_roles');
const admin = by('admin', 'service_users');
const refused = { refused: 'FORBIDDEN' };
const none = { query: { fields: ['email'] } };

const ACCOUNT: Scenario[] = [
  ...['role', 'policies'].map((field) =>
    users(
      `makes nobody with a wider ${field}`,
      add({ email: 'new@example.com', [field]: field === 'role' ? '<chiefs>' : ['<secret>'] }),
      refused,
    ),
  ),
  users('makes somebody with what they hold', add({ email: 'new@example.com', role: '<clerks>' }), {
    ...none,
    gives: { email: 'new@example.com' },
  }),
  users('makes somebody with nothing', add({ email: 'new@example.com', status: 'draft' }), {
    ...none,
    gives: { email: 'new@example.com' },
  }),
  users('makes nobody with a role beside others', addAll({}, { role: '<juniors>' }), refused),
  users('makes nobody of another provider', add({ provider: 'acme' }), forbidden('provider')),
  users(
    'gives nobody another identity',
    change('<paul>', { external_identifier: 'x' }),
    forbidden('external_identifier'),
  ),
  ...['last_access', 'date_created'].flatMap((field) =>
    [users, admin].flatMap((each) => [
      each(
        `sets no ${field} of somebody new`,
        add({ [field]: '2020-01-01T00:00:00Z' }),
        malformed(field),
      ),
      each(
        `sets no ${field}`,
        change('<paul>', { [field]: '2020-01-01T00:00:00Z' }),
        malformed(field),
      ),
    ]),
  ),
  admin('sets no secret', change('<paul>', { tfa_secret: 'x' }), malformed('tfa_secret')),
  admin('makes nobody with a secret', add({ tfa_secret: 'x' }), malformed('tfa_secret')),
];

const OTHERS: Scenario[] = [
  ...['boss', 'jon', 'hugo', 'gone', 'late', 'admin'].flatMap((name) => [
    ...Object.entries({
      email: 'mine@example.com',
      password: 'open-sesame-three',
      status: 'archived',
      role: '<plain>',
    }).map(([field, value]) =>
      users(`sets no ${field} of ${name}`, change(`<${name}>`, { [field]: value }), refused),
    ),
    users(`does not delete ${name}`, { operation: 'delete', id: `<${name}>` }, refused),
  ]),
  users('renames whom they may not control', change('<boss>', { title: 'Dr' }), {
    query: { fields: ['title'] },
    gives: { title: 'Dr' },
  }),
  users(
    'sends back what they read',
    change('<boss>', { status: 'active', role: null, title: 'x' }),
    {
      query: { fields: ['title'] },
      gives: { title: 'x' },
    },
  ),
  ...['cleo', 'paul', 'peer'].flatMap((name) => [
    users(`sets e-mail and password of ${name}`, change(`<${name}>`, MINE()), {
      query: { fields: ['email'] },
      gives: { email: 'mine@example.com' },
    }),
    users(`deletes ${name}`, { operation: 'delete', id: `<${name}>` }, { silent: true }),
  ]),
  users('takes a second factor of a peer away', change('<peer>', { tfa_secret: null }), {
    query: { fields: ['email'] },
    gives: { email: 'peer@example.com' },
    stored: { service_users: { '<peer>': { tfa_secret: null } } },
  }),
  users(
    'takes nobody out of what demands a second factor',
    change('<gus>', { role: null }),
    refused,
  ),
  users('moves somebody to what they hold', change('<paul>', { role: '<clerks>' }), {
    query: { fields: ['role'] },
    gives: { role: '<clerks>' },
  }),
  users('moves nobody to more', change('<paul>', { role: '<juniors>' }), forbidden('role')),
  users('moves not themselves to more', change('<dele>', { role: '<chiefs>' }), forbidden('role')),
  users('moves nobody from more', change('<jon>', { role: '<clerks>' }), forbidden('role')),
];

function MINE(): object {
  return { email: 'mine@example.com', password: 'open-sesame-three' };
}

const SHAPES: Scenario[] = [
  users('alters none of several', changeAll(['<paul>', '<boss>'], { status: 'draft' }), refused),
  users(
    'alters none of a batch',
    changeEach({ id: '<paul>', title: 'x' }, { id: '<paul-2>', title: 'x' }),
    refused,
  ),
  users('deletes none of several', dropAll('<paul>', '<boss>'), refused),
  users(
    'nests a wider role',
    change('<paul>', { role: { id: '<clerks>', policies: ['<secret>'] } }),
    refused,
  ),
  users(
    'nests a new role with more',
    change('<paul>', { role: { name: 'x', policies: ['<secret>'] } }),
    refused,
  ),
  users(
    'nests a new role below a wider',
    add({ role: { name: 'x', parent: '<chiefs>' } }),
    refused,
  ),
  users(
    'creates a policy in a list',
    change('<paul>', { policies: { create: [{ name: 'x' }], update: [], delete: [] } }),
    refused,
  ),
  users(
    'names a policy in a list',
    change('<paul>', { policies: [{ policy: '<secret>' }] }),
    refused,
  ),
  users('takes one out of a list', change('<boss>', { policies: [] }), refused),
  roles('links users to a wider role', change('<chiefs>', { users: ['<paul>', '<jon>'] }), refused),
  roles('takes users out of a wider role', change('<juniors>', { users: [] }), refused),
  roles(
    'alters users through a role',
    change('<clerks>', { users: { create: [], update: [{ id: '<boss>' }], delete: [] } }),
    refused,
  ),
  roles(
    'makes users in a wider role',
    change('<juniors>', {
      users: { create: [{ email: 'x@example.com' }], update: [], delete: [] },
    }),
    refused,
  ),
  roles('links users to what they hold', change('<clerks>', { users: ['<cleo>', '<paul>'] }), {
    query: { fields: ['name'] },
    gives: { name: 'clerks' },
  }),
];

describe('17, 18, 19: the identity of users, and what they hold', () => {
  playIn({
    open: async () => {
      const world = await openDelegation();
      world.name('paul-2', '00000000-0000-4000-8000-000000000000');
      return world;
    },
    scenarios: [...numbered(17, ACCOUNT), ...numbered(18, OTHERS), ...numbered(19, SHAPES)],
  });
});
