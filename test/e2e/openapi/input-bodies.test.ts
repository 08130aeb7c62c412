import { emailOf, PASSWORD, seed, type World } from '../../factories';
import { startTestApp, TEST_ADMIN } from '../../support';
import { type Call, documentOf, sent } from './described';

let world: World;
beforeAll(async () => {
  world = await seed(await startTestApp(), {
    roles: { staff: {} },
    users: { ann: {}, leaver: {} },
  });
  const { status } = await world.as('admin').patch('/settings', { public_registration: true });
  expect(status).toBe(200);
});
afterAll(() => world.app.close());

const ANN = { email: emailOf('ann'), password: PASSWORD };

/** Operations with bodies that they accept and describe, and bodies that they refuse. */
const POSTS: readonly (readonly [
  name: string | null,
  path: string,
  taken: readonly unknown[],
  refused: readonly unknown[],
])[] = [
  [
    null,
    '/auth/login',
    [ANN, { ...ANN, mode: 'cookie' }, { ...ANN, mode: 'session' }],
    [[ANN], { email: ANN.email }, { ...ANN, mode: 'x' }, { ...ANN, otp: null }, { ...ANN, a: 1 }],
  ],
  [null, '/auth/refresh', [], [[], { refresh_token: 7 }, { refresh_token: '' }, { mode: null }]],
  [
    null,
    '/auth/logout',
    [{ refresh_token: 'x' }, { refresh_token: 'x', mode: 'json' }],
    [{ mode: 1 }, { token: 'x' }, []],
  ],
  [
    null,
    '/auth/password/request',
    [{ email: ANN.email }, { email: ANN.email, reset_url: null }],
    [{}, { email: '' }, { email: ANN.email, reset_url: '' }, { email: ANN.email, url: 'x' }],
  ],
  [null, '/auth/password/reset', [], [{ token: 'x' }, { token: '', password: PASSWORD }]],
  [
    null,
    '/users/register/resend',
    [{ email: 'a@example.com' }],
    [{}, { email: 7 }, { email: 'a@example.com', name: 'A' }],
  ],
  [null, '/users/invite/accept', [], [{}, { token: 'x' }, { token: 'x', password: '' }]],
  [
    'admin',
    '/users/invite',
    [
      { email: 'b@example.com', role: '<staff>' },
      { email: ['c@example.com', 'd@example.com'], role: '<staff>', invite_url: null },
    ],
    [
      { email: 'b@example.com' },
      { email: [], role: '<staff>' },
      { email: 'b@example.com', role: null },
      { email: 'b@example.com', role: '<staff>', invite_url: '' },
    ],
  ],
  [
    'ann',
    '/users/me/tokens',
    [
      { name: 'one', current_password: PASSWORD },
      { name: 'two', current_password: PASSWORD, otp: null, expires_at: '2099-01-01' },
      { name: 'three', current_password: PASSWORD, policies: [] },
    ],
    [
      { current_password: PASSWORD },
      { name: '', current_password: PASSWORD },
      { name: 'n'.repeat(256), current_password: PASSWORD },
      { name: 'four', current_password: PASSWORD, expires_at: null },
      { name: 'five', current_password: PASSWORD, policies: 'all' },
    ],
  ],
  ['ann', '/users/me/tfa/generate', [{ password: PASSWORD }], [{}, { password: 7 }, [PASSWORD]]],
  ['ann', '/users/me/tfa/enable', [], [{ secret: 'x' }, { secret: 'x', otp: 7 }]],
  ['ann', '/users/me/tfa/disable', [], [{}, { otp: null }]],
  [
    null,
    '/graphql',
    [
      { query: '{ __typename }' },
      { query: '{ __typename }', extensions: null },
      { query: '{ __typename }', extensions: { clientLibrary: { name: 'x' } } },
    ],
    [
      { query: 7 },
      {},
      [],
      { query: '' },
      { query: '{ __typename }', extensions: [] },
      { query: '{ __typename }', id: 'x' },
    ],
  ],
  [
    null,
    '/graphql/system',
    [{ query: '{ __typename }', variables: null, operationName: null }],
    [{ query: '{ __typename }', variables: 'x' }],
  ],
];

const CASES = POSTS.flatMap(([name, path, taken, refused]) =>
  [...taken, ...refused].map((body, at) => ({
    what: `POST ${path} ${JSON.stringify(body)?.slice(0, 100)}`,
    call: [name, 'POST', path, path, body] as Call,
    isTaken: at < taken.length,
  })),
);

it.each(CASES)(
  'the accepted bodies of an operation are described: $what',
  async ({ call, isTaken }) => {
    expect(await sent(world, call)).toEqual({ taken: isTaken, described: isTaken });
  },
);

it('a refresh accepts a token', async () => {
  const { data } = await world.as(null).post('/auth/login', ANN);
  const call: Call = [
    null,
    'POST',
    '/auth/refresh',
    undefined,
    { refresh_token: data['refresh_token'] },
  ];
  expect(await sent(world, call)).toEqual({ taken: true, described: true });
});

it.each(['/auth/refresh', '/auth/logout'])('%s takes a cookie without a body', async (path) => {
  const { headers } = await world.as(null).post('/auth/login', { ...ANN, mode: 'session' });
  const cookie = headers.getSetCookie().map((each) => each.split(';')[0]);
  const own = { cookie: cookie.join('; '), origin: world.app.url };
  const { status } = await world.as(null).send('POST', path, undefined, own);
  expect(status).toBeLessThan(300);
  const { paths } = await documentOf(world, null);
  expect(paths[path]?.['post']?.requestBody?.required).toBe(false);
});

it('deleting the own account requires a proof of identity', async () => {
  const call = (body: object): Call => ['leaver', 'DELETE', '/users/me', '/users/me', body];
  const wrong = { taken: false, described: false };
  expect(await sent(world, call({ current_password: 7 }))).toEqual(wrong);
  expect(await sent(world, call({ password: PASSWORD }))).toEqual(wrong);
});

describe('a registration', () => {
  const HER = { email: 'her@example.com', password: 'long-enough-1' };
  const isDescribed = async (body: object): Promise<boolean> =>
    (await sent(world, [null, 'POST', '/register', '/register', body])).described;

  it.each([
    HER,
    { ...HER, first_name: null, last_name: '', verification_url: '' },
    { ...HER, first_name: 'Her' },
  ])('is described as %j', async (body) => {
    expect(await isDescribed(body)).toBe(true);
  });

  it.each([{ email: HER.email }, { ...HER, first_name: 7 }, { ...HER, role: 'x' }, [HER]])(
    'is not described as %j',
    async (body) => {
      expect(await isDescribed(body)).toBe(false);
    },
  );
});

it('an administrator can update the own account', async () => {
  const call: Call = ['admin', 'PATCH', '/users/me', '/users/me', { email: TEST_ADMIN.email }];
  expect(await sent(world, call)).toEqual({ taken: true, described: true });
});
