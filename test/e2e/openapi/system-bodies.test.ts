import type { World } from '../../factories';
import { type Call, sent } from './described';
import { openOffice } from './office';

let world: World;
beforeAll(async () => {
  world = await openOffice();
});
afterAll(() => world.app.close());

const ON = { collection: 'labels', item: 'red' };
const RULE = { collection: 'labels', action: 'read', policy: '<visitors>' };
const FLAGS = { collection: 'labels', policy: '<visitors>' };

type Bodies = readonly unknown[];

/** By caller and path: bodies that are accepted, and bodies that are refused. */
const POSTS: readonly (readonly [name: string, path: string, taken: Bodies, refused: Bodies])[] = [
  [
    'ann',
    '/comments',
    [{ ...ON, comment: 'Hm' }, [{ ...ON, comment: 'Oh' }]],
    [
      ...[{}, { ...ON }, { ...ON, comment: null }, { ...ON, comment: 7 }],
      { ...ON, comment: 'x', user_created: '<ann>' },
      { ...ON, comment: 'x', date_created: '2020-01-01' },
      { ...ON, comment: 'x', date_updated: null },
      { ...ON, comment: 'x', id: 'b3c1f3a0-3f0e-4f5e-9d51-6a3a0f3f7f10' },
    ],
  ],
  [
    'admin',
    '/comments',
    [{ ...ON, comment: 'Hm' }],
    [{ comment: 'x' }, { ...ON, comment: 'x', nothing: 1 }, { ...ON, comment: 'x'.repeat(10_001) }],
  ],
  [
    'admin',
    '/permissions',
    [
      RULE,
      {
        ...RULE,
        fields: ['id'],
        permissions: { id: { _eq: 'red' } },
        validation: null,
        presets: null,
      },
      { ...RULE, fields: null },
      { ...RULE, fields: 'id,meaning' },
      { ...FLAGS, read: true, update: true },
      { ...FLAGS, read: true, read_field_blacklist: ['meaning'] },
      { ...FLAGS, create: true, explain: true },
      [RULE, { ...RULE, action: 'update' }],
    ],
    [
      {},
      { ...RULE, action: 'fly' },
      { ...RULE, policy: null },
      { ...RULE, fields: 7 },
      { ...RULE, more: 1 },
      { ...RULE, asleep: false },
      { ...RULE, permissions: 7 },
      { ...RULE, validation: [] },
      { ...RULE, presets: 'x' },
      { ...FLAGS, read: 'yes' },
      { ...FLAGS, read: true, read_field_blacklist: 'meaning' },
    ],
  ],
  [
    'admin',
    '/policies',
    [
      { name: 'p' },
      { name: 'q', ip_access: ['10.0.0.0/8'], app_access: true, description: null },
      { name: 'r', ip_access: null },
    ],
    [
      {},
      { name: null },
      { name: 'p', ip_access: '10.0.0.0/8,x' },
      { name: 'p', app_access: 'yes' },
    ],
  ],
  [
    'admin',
    '/access',
    [
      { policy: '<visitors>', user: '<ann>' },
      { policy: '<visitors>', role: '<office>', expires_at: '2099-01-01' },
    ],
    [{}, { user: '<ann>' }, { policy: null }, { policy: '<visitors>', user: 7 }],
  ],
  ['admin', '/roles', [{ name: 'r', parent: null }], [{}, { name: 7 }, { name: 'r', parent: 7 }]],
  [
    'admin',
    '/users',
    [
      {},
      { email: 'n@example.com', password: null, tags: ['a'], status: 'draft' },
      { tfa_secret: null, last_access: null, tags: null },
      { tfa_secret: '**********' },
    ],
    [
      ...[{ status: 'gone' }, { tags: 'a' }, { email: 7 }, { tags: [1] }, { date_created: 7 }],
      { date_created: '2020-01-01' },
      { last_access: '2020-01-01' },
      { tfa_secret: 'JBSWY3DPEHPK3PXP' },
    ],
  ],
];

it.each(
  POSTS.flatMap(([name, path, taken, refused]) =>
    [...taken, ...refused].map((body, at) => ({
      what: `${name}: POST ${path} ${JSON.stringify(body).slice(0, 100)}`,
      call: [name, 'POST', path, path, body] as Call,
      isTaken: at < taken.length,
    })),
  ),
)(
  'accepted bodies of the service’s collections are described: $what',
  async ({ call, isTaken }) => {
    expect(await sent(world, call)).toEqual({ taken: isTaken, described: isTaken });
  },
);

it.each([
  [{ comment: 'Hm' }, true],
  [{ collection: 'labels' }, false],
  [{ item: 'red' }, false],
  [{ user_created: '<ann>' }, false],
  [{ date_created: '2020-01-01' }, false],
])('a comment stays with its item, as described: PATCH %j', async (body, taken) => {
  const made = await world.as('ann').post('/comments', { ...ON, comment: 'Oh' });
  const { id } = (JSON.parse(made.text) as { data: { id: string } }).data;
  const call: Call = ['ann', 'PATCH', '/comments/{id}', `/comments/${id}`, body];
  expect(await sent(world, call)).toEqual({ taken, described: taken });
});

it.each([
  [{ tfa_secret: null }, true],
  [{ tfa_secret: '**********' }, true],
  [{ tfa_secret: 'JBSWY3DPEHPK3PXP' }, false],
])(
  'an update can remove a secret but never set one, as described: PATCH %j',
  async (body, taken) => {
    const call: Call = ['admin', 'PATCH', '/users/{id}', '/users/<ann>', body];
    expect(await sent(world, call)).toEqual({ taken, described: taken });
  },
);

it.each([
  ['users', '/users/{id}', '/users/<ann>', 'last_access,date_created'],
  ['rules', '/permissions/{id}', '/permissions/1', 'asleep'],
])(
  'fields of %s that only the service sets may be sent back unchanged',
  async (_, route, path, fields) => {
    const read = await world.as('admin').get(world.fill(`${path}?fields=${fields}`));
    const { data } = JSON.parse(read.text) as { data: object };
    const call: Call = ['admin', 'PATCH', route, path, data];
    expect(await sent(world, call)).toEqual({ taken: true, described: true });
  },
);

it.each([
  [{ email: { _ends_with: '@example.com' } }, true],
  [{}, true],
  [null, true],
  [7, false],
  [['x'], false],
])('the filter of registrations is an object or null, as described: %j', async (filter, taken) => {
  const body = { public_registration_email_filter: filter };
  const call: Call = ['admin', 'PATCH', '/settings', '/settings', body];
  expect(await sent(world, call)).toEqual({ taken, described: taken });
});

it.each([
  [{ id: 'green', look: { color: 'green' } }, true],
  [{ id: 'bold', look: ['b'] }, true],
  [{ id: 'none', look: null }, false],
])('JSON may not be null if the column may not, as described: POST %j', async (body, taken) => {
  const call: Call = ['admin', 'POST', '/items/labels', '/items/labels', body];
  expect(await sent(world, call)).toEqual({ taken, described: taken });
});
