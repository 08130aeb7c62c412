import { type SeedData, create, read, seed, type World } from '../../factories';
import {
  type MailServer,
  type Reply,
  signIn,
  startMailServer,
  startTestApp,
  type TestClient,
  until,
} from '../../support';

/** Each way of creating users, and the state changes that follow, with real mails. */

const PASSWORD = 'three-green-kettles';
const PAGE = 'https://app.example.com/welcome';
const STATUSES = ['draft', 'invited', 'unverified', 'suspended', 'archived', 'active'];

const SEED: SeedData = {
  policies: {
    makers: [
      create('service_users', ['email', 'password', 'first_name']),
      read('service_users', ['id']),
    ],
    idle: [],
  },
  roles: { guests: { policies: ['idle'] } },
  users: { mak: { policies: ['makers'] }, ann: {} },
};

let server: MailServer;
let world: World;

beforeAll(async () => {
  server = await startMailServer();
  const lists = { USER_REGISTER_URL_ALLOW_LIST: PAGE, USER_INVITE_URL_ALLOW_LIST: PAGE };
  const env = { SMTP_URL: server.url, PUBLIC_URL: 'https://door.example.com', ...lists };
  world = await seed(await startTestApp({ env }), SEED);
});

afterAll(async () => {
  await world?.app.close();
  await server.close();
});

let count = 0;
const anAddress = (): string => `somebody-${(count += 1)}@example.com`;

const settings = (values: object): Promise<Reply> =>
  world.as('admin').patch('/settings', world.fill(values));

beforeEach(() =>
  settings({
    ...{ public_registration: true, public_registration_verify_email: true },
    ...{ public_registration_role: '<guests>' },
  }),
);

/** Where the link of the latest mail to an address leads, as a mail program reads it. */
async function linkTo(address: string): Promise<URL> {
  const own = () => server.mails.filter(({ recipients }) => recipients.includes(address));
  await until(() => own().length > 0);
  return new URL(/https:\S+/.exec(own().at(-1)?.mail.text ?? '')?.[0] ?? '');
}

const tokenOf = (link: URL): string => link.searchParams.get('token') ?? '';

/** The only user with an address: their fields. */
async function stored(address: string): Promise<Record<string, unknown>> {
  const filter = JSON.stringify({ email: { _eq: address } });
  const fields = 'fields=status,role,first_name';
  const { data } = await world.as('admin').get(`/users?${fields}&filter=${filter}`);
  expect(data).toHaveLength(1);
  return (data as unknown as Record<string, unknown>[])[0] ?? {};
}

async function canSignIn(email: string): Promise<boolean> {
  const { status } = await world.as(null).post('/auth/login', { email, password: PASSWORD });
  return status === 200;
}

interface Transport {
  readonly name: string;
  run(client: TestClient, operation: Operation, sent: Sent): Promise<Reply>;
}

type Operation = 'register' | 'verify' | 'create' | 'invite' | 'accept';
type Sent = Readonly<Record<string, string>>;

const PATHS: Readonly<Record<Operation, string>> = {
  register: '/register',
  verify: '/users/register/verify-email',
  create: '/users',
  invite: '/users/invite',
  accept: '/users/invite/accept',
};

const MUTATIONS: Readonly<Record<Operation, string>> = {
  register: 'users_register',
  verify: 'users_register_verify',
  create: 'create_users_item',
  invite: 'users_invite',
  accept: 'users_invite_accept',
};
const SELECTIONS: Readonly<Partial<Record<Operation, string>>> = {
  verify: '{ id status }',
  create: '{ __typename }',
};

const argumentsOf = (sent: Sent): string =>
  Object.entries(sent)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join(', ');

const TRANSPORTS: readonly Transport[] = [
  {
    name: 'REST',
    run: (client, operation, sent) =>
      operation === 'verify'
        ? client.get(`${PATHS.verify}?token=${sent['token']}`)
        : client.post(PATHS[operation], sent),
  },
  {
    name: 'GraphQL',
    run: (client, operation, sent) => {
      const args = operation === 'create' ? `data: {${argumentsOf(sent)}}` : argumentsOf(sent);
      const call = `${MUTATIONS[operation]}(${args}) ${SELECTIONS[operation] ?? ''}`;
      return client.post('/graphql/system', { query: `mutation { ${call} }` });
    },
  },
];

describe.each(TRANSPORTS)('over $name', (transport) => {
  const run = async (who: string | null, operation: Operation, sent: Sent): Promise<string[]> =>
    (await transport.run(world.as(who), operation, world.fill(sent))).codes;
  const guest = () => ({ role: world.id('guests') });

  it('a registered user is unverified until the link is followed', async () => {
    const email = anAddress();
    const sent = { email, password: PASSWORD, first_name: 'Ann', verification_url: PAGE };
    expect(await run(null, 'register', sent)).toEqual([]);
    const link = await linkTo(email);
    expect(link.href.startsWith(`${PAGE}?token=`)).toBe(true);
    expect(await stored(email)).toMatchObject({ status: 'unverified', ...guest() });
    expect(await canSignIn(email)).toBe(false);
    // Only the right link changes the state.
    expect(await run(null, 'verify', { token: 'x' })).toEqual(['INVALID_TOKEN']);
    expect(await run(null, 'accept', { token: tokenOf(link), password: PASSWORD })).toEqual([
      'INVALID_TOKEN',
    ]);
    expect(await stored(email)).toMatchObject({ status: 'unverified' });
    expect(await run(null, 'verify', { token: tokenOf(link) })).toEqual([]);
    expect(await stored(email)).toEqual({ status: 'active', first_name: 'Ann', ...guest() });
    expect(await canSignIn(email)).toBe(true);
  });

  it('a user who is registered without verification is active, with the role of the settings', async () => {
    await settings({ public_registration_verify_email: false });
    const email = anAddress();
    expect(await run(null, 'register', { email, password: PASSWORD })).toEqual([]);
    await until(() => canSignIn(email));
    expect(await stored(email)).toMatchObject({ status: 'active', ...guest() });
  });

  it('an invited user stays invited until a password is sent with the token', async () => {
    const email = anAddress();
    const sent = { email, role: '<guests>', invite_url: PAGE };
    expect(await run('admin', 'invite', sent)).toEqual([]);
    expect(await stored(email)).toMatchObject({ status: 'invited', ...guest() });
    const link = await linkTo(email);
    expect(link.href.startsWith(`${PAGE}?token=`)).toBe(true);
    const token = tokenOf(link);
    expect(await run(null, 'accept', { token: 'x', password: PASSWORD })).toEqual([
      'INVALID_TOKEN',
    ]);
    expect(await run(null, 'verify', { token })).toEqual(['INVALID_TOKEN']);
    expect(await stored(email)).toMatchObject({ status: 'invited' });
    expect(await run(null, 'accept', { token, password: PASSWORD })).toEqual([]);
    expect(await stored(email)).toMatchObject({ status: 'active', ...guest() });
    expect(await canSignIn(email)).toBe(true);
  });

  it.each(STATUSES)('an administrator makes a user %s, from any other status', async (status) => {
    const email = anAddress();
    const admin = world.as('admin');
    const { data } = await admin.post('/users', { email, password: PASSWORD });
    const others = STATUSES.filter((other) => other !== status);
    for (const next of others.flatMap((other) => [other, status])) {
      const reply = await admin.patch(`/users/${String(data['id'])}`, { status: next });
      expect(reply.data).toMatchObject({ status: next });
    }
    expect(await canSignIn(email)).toBe(status === 'active');
  });

  it('users with the right create users directly, with the fields that they may set', async () => {
    const email = anAddress();
    const sent = { email, password: PASSWORD, first_name: 'Bea' };
    expect(await run('mak', 'create', sent)).toEqual([]);
    expect(await stored(email)).toEqual({ status: 'active', role: null, first_name: 'Bea' });
    await signIn(world.app, { email, password: PASSWORD });
    const other = anAddress();
    for (const [who, more] of [
      ['ann', {}],
      [null, {}],
      ['mak', { role: '<guests>' }],
      ['mak', { last_name: 'Bell' }],
    ] as const) {
      const refused = await run(who, 'create', { ...sent, ...more, email: other });
      expect([who, refused]).toEqual([who, ['FORBIDDEN']]);
    }
    expect((await world.as('admin').get(`/users?filter[email][_eq]=${other}`)).data).toEqual([]);
  });

  it('callers who are not signed in create users if the public policy allows it', async () => {
    const admin = world.as('admin');
    const rule = { ...create('service_users', ['email', 'password']), policy: world.id('public') };
    const { data } = await admin.post('/permissions', rule);
    const email = anAddress();
    await run(null, 'create', { email, password: PASSWORD });
    expect(await stored(email)).toMatchObject({ status: 'active', role: null });
    expect(await canSignIn(email)).toBe(true);
    await admin.delete(`/permissions/${String(data['id'])}`);
    const refused = await run(null, 'create', { email: anAddress(), password: PASSWORD });
    expect(refused).toEqual(['FORBIDDEN']);
  });

  it('users without the right to create users cannot invite, nor can anyone to a role that grants more', async () => {
    const email = anAddress();
    for (const [who, role] of [
      ['ann', '<guests>'],
      [null, '<guests>'],
      ['mak', '<guests>'],
      ['mak', '<administrators>'],
    ] as const) {
      expect([who, await run(who, 'invite', { email, role })]).toEqual([who, ['FORBIDDEN']]);
    }
    expect((await world.as('admin').get(`/users?filter[email][_eq]=${email}`)).data).toEqual([]);
  });
});

it('registering answers an empty 204 in every case', async () => {
  const email = anAddress();
  const sent: unknown[] = [
    { email, password: PASSWORD },
    { email, password: PASSWORD },
    { email, password: 'x' },
    { email: 7 },
    { email: 'x', password: PASSWORD, role: world.id('administrators') },
    [],
    undefined,
  ];
  for (const path of ['/register', '/users/register']) {
    for (const body of sent) {
      const { status, text } = await world.as(null).post(path, body);
      expect([path, status, text]).toEqual([path, 204, '']);
    }
  }
});
