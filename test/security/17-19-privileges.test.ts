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
      `cannot create a user with a wider ${field}`,
      add({ email: 'new@example.com', [field]: field === 'role' ? '<chiefs>' : ['<secret>'] }),
      refused,
    ),
  ),
  users(
    'can create a user with rights that they hold',
    add({ email: 'new@example.com', role: '<clerks>' }),
    {
      ...none,
      gives: { email: 'new@example.com' },
    },
  ),
  users('can create a user without rights', add({ email: 'new@example.com', status: 'draft' }), {
    ...none,
    gives: { email: 'new@example.com' },
  }),
  users(
    'cannot create a user with a wider role along with another user',
    addAll({}, { role: '<juniors>' }),
    refused,
  ),
  users(
    'cannot create a user of another provider',
    add({ provider: 'acme' }),
    forbidden('provider'),
  ),
  users(
    'cannot change the external identifier of a user',
    change('<paul>', { external_identifier: 'x' }),
    forbidden('external_identifier'),
  ),
  ...['last_access', 'date_created'].flatMap((field) =>
    [users, admin].flatMap((each) => [
      each(
        `cannot set ${field} of a new user`,
        add({ [field]: '2020-01-01T00:00:00Z' }),
        malformed(field),
      ),
      each(
        `cannot set ${field}`,
        change('<paul>', { [field]: '2020-01-01T00:00:00Z' }),
        malformed(field),
      ),
    ]),
  ),
  admin(
    'cannot set a second factor',
    change('<paul>', { tfa_secret: 'x' }),
    malformed('tfa_secret'),
  ),
  admin(
    'cannot create a user with a second factor',
    add({ tfa_secret: 'x' }),
    malformed('tfa_secret'),
  ),
];

const OTHERS: Scenario[] = [
  ...['boss', 'jon', 'hugo', 'gone', 'late', 'admin'].flatMap((name) => [
    ...Object.entries({
      email: 'mine@example.com',
      password: 'open-sesame-three',
      status: 'archived',
      role: '<plain>',
    }).map(([field, value]) =>
      users(`cannot set ${field} of ${name}`, change(`<${name}>`, { [field]: value }), refused),
    ),
    users(`cannot delete ${name}`, { operation: 'delete', id: `<${name}>` }, refused),
  ]),
  users('can rename a user who holds more', change('<boss>', { title: 'Dr' }), {
    query: { fields: ['title'] },
    gives: { title: 'Dr' },
  }),
  users(
    'can send unchanged values back',
    change('<boss>', { status: 'active', role: null, title: 'x' }),
    {
      query: { fields: ['title'] },
      gives: { title: 'x' },
    },
  ),
  ...['cleo', 'paul', 'peer'].flatMap((name) => [
    users(`can set e-mail and password of ${name}`, change(`<${name}>`, MINE()), {
      query: { fields: ['email'] },
      gives: { email: 'mine@example.com' },
    }),
    users(`can delete ${name}`, { operation: 'delete', id: `<${name}>` }, { silent: true }),
  ]),
  users('can remove the second factor of a peer', change('<peer>', { tfa_secret: null }), {
    query: { fields: ['email'] },
    gives: { email: 'peer@example.com' },
    stored: { service_users: { '<peer>': { tfa_secret: null } } },
  }),
  users(
    'cannot take a user out of a role that demands a second factor',
    change('<gus>', { role: null }),
    refused,
  ),
  users('can move a user to a role that they hold', change('<paul>', { role: '<clerks>' }), {
    query: { fields: ['role'] },
    gives: { role: '<clerks>' },
  }),
  users(
    'cannot move a user to a role with more',
    change('<paul>', { role: '<juniors>' }),
    forbidden('role'),
  ),
  users(
    'cannot move themselves to a role with more',
    change('<dele>', { role: '<chiefs>' }),
    forbidden('role'),
  ),
  users(
    'cannot move a user out of a role with more',
    change('<jon>', { role: '<clerks>' }),
    forbidden('role'),
  ),
];

function MINE(): object {
  return { email: 'mine@example.com', password: 'open-sesame-three' };
}

const SHAPES: Scenario[] = [
  users(
    'cannot change several users if one holds more',
    changeAll(['<paul>', '<boss>'], { status: 'draft' }),
    refused,
  ),
  users(
    'cannot change a batch if one is not found',
    changeEach({ id: '<paul>', title: 'x' }, { id: '<paul-2>', title: 'x' }),
    refused,
  ),
  users('cannot delete several users if one holds more', dropAll('<paul>', '<boss>'), refused),
  users(
    'cannot widen a role in a nested payload',
    change('<paul>', { role: { id: '<clerks>', policies: ['<secret>'] } }),
    refused,
  ),
  users(
    'cannot create a nested role with more',
    change('<paul>', { role: { name: 'x', policies: ['<secret>'] } }),
    refused,
  ),
  users(
    'cannot create a nested role below a wider one',
    add({ role: { name: 'x', parent: '<chiefs>' } }),
    refused,
  ),
  users(
    'cannot create a policy in a list',
    change('<paul>', { policies: { create: [{ name: 'x' }], update: [], delete: [] } }),
    refused,
  ),
  users(
    'cannot attach a policy in a list',
    change('<paul>', { policies: [{ policy: '<secret>' }] }),
    refused,
  ),
  users('cannot take a policy out of a list', change('<boss>', { policies: [] }), refused),
  roles(
    'cannot link users to a wider role',
    change('<chiefs>', { users: ['<paul>', '<jon>'] }),
    refused,
  ),
  roles('cannot take users out of a wider role', change('<juniors>', { users: [] }), refused),
  roles(
    'cannot change users through a role',
    change('<clerks>', { users: { create: [], update: [{ id: '<boss>' }], delete: [] } }),
    refused,
  ),
  roles(
    'cannot create users in a wider role',
    change('<juniors>', {
      users: { create: [{ email: 'x@example.com' }], update: [], delete: [] },
    }),
    refused,
  ),
  roles(
    'can link users to a role that they hold',
    change('<clerks>', { users: ['<cleo>', '<paul>'] }),
    {
      query: { fields: ['name'] },
      gives: { name: 'clerks' },
    },
  ),
];

describe('17, 18, 19: a delegate and the identity and rights of users', () => {
  playIn({
    open: async () => {
      const world = await openDelegation();
      world.name('paul-2', '00000000-0000-4000-8000-000000000000');
      return world;
    },
    scenarios: [...numbered(17, ACCOUNT), ...numbered(18, OTHERS), ...numbered(19, SHAPES)],
  });
});
