import { PASSWORD, read, seed, update, type World } from '../../factories';
import { startTestApp } from '../../support';
import { documentOf, faultsOf, sent, type Call } from './described';

let world: World;
beforeAll(async () => {
  const own = { id: { _eq: '$CURRENT_USER' } } as const;
  world = await seed(await startTestApp(), {
    policies: {
      own: [update('service_users', ['first_name'], own)],
      full: [update('service_users', ['*'])],
      listing: [read('service_users', ['email', 'role'])],
    },
    roles: { office: {} },
    users: {
      plain: { provider: 'default' },
      own: { policies: ['own'] },
      full: { policies: ['full'] },
      listing: { role: 'office', policies: ['listing'] },
      bea: { email: 'bea@example.com' },
    },
  });
});
afterAll(() => world.app.close());

const ME = ['PATCH', '/users/me', '/users/me'] as const;
const ONE = ['PATCH', '/users/{id}', '/users/<bea>'] as const;
const MANY = ['PATCH', '/users', '/users'] as const;
const NEW = { password: 'another-sesame-3', current_password: PASSWORD };
const BACK = { password: PASSWORD, current_password: 'another-sesame-3' };

const CASES: readonly (readonly [what: string, isTaken: boolean, call: Call])[] = [
  ['a new password, without a rule', true, ['plain', ...ME, NEW]],
  ['with a null that a form sends along', true, ['plain', ...ME, { ...BACK, otp: null }]],
  ['a name, without a rule', false, ['plain', ...ME, { first_name: 'P' }]],
  ['a password that is not text', false, ['plain', ...ME, { ...NEW, password: 7 }]],
  ['a current password that is not text', false, ['plain', ...ME, { ...NEW, current_password: 7 }]],
  ['an empty body', true, ['plain', ...ME, {}]],
  ['a list', false, ['plain', ...ME, [NEW]]],
  ['a new password, by a rule about the name', true, ['own', ...ME, NEW]],
  ['a name, by a rule', true, ['own', ...ME, { first_name: 'O' }]],
  ['a field that no rule names', false, ['own', ...ME, { last_name: 'O' }]],
  ['a new password and a name', true, ['full', ...ME, { ...NEW, first_name: 'A' }]],
  ['an unknown field', false, ['full', ...ME, { nothing: 1 }]],
  ['of several users, names', true, ['full', ...MANY, [{ id: '<bea>', first_name: 'B' }]]],
  [
    'of several users, proofs',
    false,
    ['full', ...MANY, [{ id: '<bea>', first_name: 'B', current_password: PASSWORD }]],
  ],
  [
    'of several users, proofs along with the same values',
    false,
    ['full', ...MANY, { keys: ['<bea>'], data: { first_name: 'B', otp: '1' } }],
  ],
  ['of another user, a name', true, ['full', ...ONE, { first_name: 'B' }]],
  [
    'the own account, by its key',
    true,
    [
      'full',
      'PATCH',
      '/users/{id}',
      '/users/<full>',
      {
        password: PASSWORD,
        current_password: 'another-sesame-3',
      },
    ],
  ],
  [
    'an unknown field when deleting the account',
    false,
    ['full', 'DELETE', '/users/me', '/users/me', { none: 1 }],
  ],
];

it.each(CASES.map(([what, isTaken, call]) => ({ what: `${call[0]}: ${what}`, isTaken, call })))(
  'bodies that change the own account are described: $what',
  async ({ isTaken, call }) => {
    expect(await sent(world, call)).toEqual({ taken: isTaken, described: isTaken });
  },
);

it.each([
  ['get', '/users/me'],
  ['patch', '/users/me'],
  ['get', '/roles/me'],
])('%s %s describes the query parameters that it takes', async (verb, own) => {
  const { paths } = await documentOf(world, 'full');
  const described = (paths[own]?.[verb]?.parameters ?? [])
    .filter(({ $ref }) => $ref !== '#/components/parameters/X-Comment')
    .map(({ name }) => name);
  const query = new URLSearchParams({ fields: 'x', meta: '*', alias: '{"x": "id"}', deep: '{}' });
  expect(described.toSorted()).toEqual([...query.keys()].toSorted());
  const body = verb === 'get' ? [] : [{}];
  const reply = await world
    .as('full')
    .send(verb.toUpperCase(), `${own}?${query.toString()}`, ...body);
  expect(reply.status).toBe(200);
});

it.each(['role', 'role.name', 'role.id,role.name', '*'])(
  'the own profile shows the role even to callers who may read users but no roles, as described: fields=%s',
  async (fields) => {
    for (const [verb, ...body] of [['GET'], ['PATCH', {}]] as const) {
      const call: Call = ['listing', verb, '/users/me', `/users/me?fields=${fields}`, ...body];
      expect(await faultsOf(world, call)).toBeUndefined();
    }
  },
);
