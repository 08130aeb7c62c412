import { createDirectus, readProviders, rest } from '@directus/sdk';
import {
  as,
  FakeProvider,
  ProviderVisit,
  providerEnv,
  PUBLIC_URL,
  signIn,
  startTestApp,
  TEST_ADMIN,
  type TestApp,
  type TestClient,
} from '../support';

const SIGN_IN_PAGE = `${PUBLIC_URL}/admin/login`;
const refusedWith = (code: string, page = SIGN_IN_PAGE): object => ({
  ...{ status: 302, codes: [], location: `${page}?reason=${code}` },
});
const GONE_WELL = { status: 302, codes: [], location: SIGN_IN_PAGE };

let provider: FakeProvider;
let test: TestApp;
let admin: TestClient;
let role: string;
let people = 0;

beforeAll(async () => {
  provider = await FakeProvider.start();
  test = await startTestApp({ env: { ...ENV, ...providersEnv() } });
  admin = as(test, (await signIn(test, TEST_ADMIN)).access_token);
  role = String((await admin.post('/roles', { name: 'Guests' })).data['id']);
});

afterAll(async () => {
  await test.close();
  await provider.close();
});

beforeEach(() => {
  provider.info = undefined;
  provider.fault = undefined;
});

const ENV = { PUBLIC_URL, AUTH_PROVIDERS: 'acme,open, mail,lax' };
const providersEnv = (): Record<string, string> => ({
  ...providerEnv(provider, { LABEL: 'Acme & Sons', ICON: 'rocket' }),
  ...providerEnv(provider, { ALLOW_PUBLIC_REGISTRATION: 'true', MODE: 'cookie' }, 'open'),
  ...providerEnv(provider, { ALLOW_PUBLIC_REGISTRATION: 'true', IDENTIFIER_KEY: 'email' }, 'mail'),
  ...providerEnv(
    provider,
    { ALLOW_PUBLIC_REGISTRATION: 'true', REQUIRE_VERIFIED_EMAIL: 'false' },
    'lax',
  ),
});

interface Person {
  readonly sub: string;
  readonly email: string;
}

/** The person whom the provider confirms next. */
function nextPerson(claims: object = {}): Person {
  people += 1;
  const person = { sub: `person-${people}`, email: `person-${people}@example.com` };
  provider.person = { ...person, email_verified: true, ...claims };
  return person;
}

const createUser = async (values: object): Promise<string> => {
  const { status, data, text } = await admin.post('/users', values);
  if (status !== 200) throw new Error(text);
  return String(data['id']);
};

const ownUser = ({ sub, email }: Person, values: object = {}): Promise<string> =>
  createUser({ provider: 'acme', external_identifier: sub, email, role, ...values });

const users = (): Promise<object[]> =>
  test.database.query('SELECT * FROM service_users ORDER BY id');

/** The failed sign-ins of a user in the log; null: of nobody known. */
const FAILURES = `SELECT "user", ip FROM service_activity WHERE action = 'login_failed' AND item IS NOT DISTINCT FROM $1`;
const failures = (user: string | null) => test.database.query(FAILURES, [user]);

describe('GET /auth', () => {
  it('lists the providers for a sign-in page', async () => {
    const { body } = await as(test).get('/auth');
    expect(body).toEqual({
      data: [
        { name: 'acme', driver: 'openid', label: 'Acme & Sons', icon: 'rocket' },
        { name: 'open', driver: 'openid', label: 'open', icon: null },
        { name: 'mail', driver: 'openid', label: 'mail', icon: null },
        { name: 'lax', driver: 'openid', label: 'lax', icon: null },
      ],
      disableDefault: false,
    });
  });

  it('is read by the published client', async () => {
    const client = createDirectus(test.url).with(rest());
    const all = await client.request(readProviders());
    const ofSession = await client.request(readProviders(true));
    expect([all.length, ofSession.length]).toEqual([4, 3]);
  });

  it('leaves out, on request, those whose sign-in ends in a refresh cookie', async () => {
    const { data } = await as(test).get('/auth?sessionOnly');
    expect((data as unknown as { name: string }[]).map(({ name }) => name)).not.toContain('open');
    expect((await as(test).get('/auth?fields=name')).codes).toEqual(['INVALID_QUERY']);
  });
});

describe('a user of a provider', () => {
  it('signs in there, and has a session like any other', async () => {
    const person = nextPerson({ given_name: 'Other', roles: ['admin'], role: 'admin' });
    const id = await ownUser(person, { first_name: 'Ann', email: 'ann-here@example.com' });
    const visit = new ProviderVisit(test);
    expect(await visit.signIn(`${PUBLIC_URL}/admin/users?page=2`)).toEqual({
      ...GONE_WELL,
      location: `${PUBLIC_URL}/admin/users?page=2`,
    });
    expect([...visit.browser.cookies.keys()]).toEqual(['service_session_token']);
    // The claims of the provider do not change the stored user.
    const expected = { id, first_name: 'Ann', email: 'ann-here@example.com', role };
    expect(await visit.me()).toMatchObject(expected);
    const refreshed = await visit.browser.send('POST', '/auth/refresh', { mode: 'session' });
    expect(refreshed.status).toBe(200);
    const { data } = await visit.browser.send('GET', '/users/me/sessions');
    expect(data).toMatchObject([{ current: true }]);
    expect((await visit.browser.send('POST', '/auth/logout', { mode: 'session' })).status).toBe(
      204,
    );
    expect(await visit.me()).toBeUndefined();
  });

  it('is redirected to the sign-in page unless another address is requested', async () => {
    await ownUser(nextPerson());
    expect(await new ProviderVisit(test).signIn()).toEqual(GONE_WELL);
  });

  it('goes to the provider with PKCE, state and nonce, kept in a cookie that no script can read', async () => {
    const visit = new ProviderVisit(test);
    const { location } = await visit.authorize('/admin/login');
    const { origin, pathname, searchParams } = new URL(location);
    expect(origin + pathname).toBe(`${provider.issuer}/authorize`);
    expect(Object.fromEntries(searchParams)).toEqual({
      ...{ response_type: 'code', client_id: 'doorward', scope: 'openid profile email' },
      redirect_uri: `${PUBLIC_URL}/auth/login/acme/callback`,
      ...{
        code_challenge_method: 'S256',
        code_challenge: expect.stringMatching(/^[\w-]{43}$/) as unknown,
      },
      ...{
        state: expect.stringMatching(/^[\w-]{43}$/) as unknown,
        nonce: expect.stringMatching(/^[\w-]{43}$/) as unknown,
      },
    });
    const attributes = visit.browser.attributes.get('service_sign_in');
    expect(attributes).toMatchObject({
      ...{ httponly: true, samesite: 'Lax', path: '/auth/login/acme', 'max-age': '600' },
    });
    const cookie = visit.browser.cookies.get('service_sign_in') ?? '';
    const plain = Buffer.from(cookie.split('.')[1] ?? '', 'base64url').toString('latin1');
    expect(plain).not.toContain(searchParams.get('state'));
  });

  it('gets a new session, and the one that the browser held ends', async () => {
    await ownUser(nextPerson());
    const visit = new ProviderVisit(test);
    await visit.browser.send('POST', '/auth/login', { ...TEST_ADMIN, mode: 'session' });
    const held = visit.browser.cookies.get('service_session_token') ?? '';
    await visit.signIn();
    expect(visit.browser.cookies.get('service_session_token')).not.toBe(held);
    visit.browser.cookies.set('service_session_token', held);
    expect(await visit.me()).toBeUndefined();
  });

  it.each(['suspended', 'archived', 'draft', 'invited', 'unverified'])(
    'who is %s cannot sign in',
    async (status) => {
      const id = await ownUser(nextPerson(), { status });
      const visit = new ProviderVisit(test);
      expect(await visit.signIn('/admin/login')).toEqual(refusedWith('INVALID_CREDENTIALS'));
      expect(await failures(id)).toEqual([{ user: null, ip: '127.0.0.1' }]);
      expect([...visit.browser.cookies.keys()]).toEqual([]);
    },
  );

  it('who is suspended later is refused with the next request', async () => {
    const id = await ownUser(nextPerson());
    const visit = new ProviderVisit(test);
    await visit.signIn();
    expect(await visit.me()).toMatchObject({ id });
    await admin.patch(`/users/${id}`, { status: 'suspended' });
    expect(await visit.me()).toBeUndefined();
  });

  it('does not sign in by a password, even with one stored', async () => {
    const person = nextPerson();
    await ownUser(person, { password: 'three-green-kettles' });
    const body = { email: person.email, password: 'three-green-kettles' };
    expect((await as(test).post('/auth/login', body)).codes).toEqual(['INVALID_CREDENTIALS']);
  });

  it('who has no account here is refused if the provider may not register users', async () => {
    nextPerson();
    const before = await users();
    const failed = (await failures(null)).length;
    expect(await new ProviderVisit(test).signIn()).toEqual(refusedWith('INVALID_CREDENTIALS'));
    expect(await users()).toEqual(before);
    expect(await failures(null)).toHaveLength(failed + 1);
  });

  it('of another provider is a different user', async () => {
    const person = nextPerson();
    await ownUser(person, { provider: 'open' });
    expect(await new ProviderVisit(test).signIn()).toEqual(refusedWith('INVALID_CREDENTIALS'));
  });
});

describe('where a provider may register users', () => {
  it('the first sign-in creates the user, and the second finds them', async () => {
    const person = nextPerson({ given_name: 'Ann', family_name: 'Lee' });
    for (let time = 0; time < 2; time += 1) {
      const visit = new ProviderVisit(test, 'open');
      expect(await visit.signIn()).toEqual(GONE_WELL);
      expect([...visit.browser.cookies.keys()]).toEqual(['service_refresh_token']);
      const refreshed = await visit.browser.send('POST', '/auth/refresh', { mode: 'cookie' });
      const me = await as(test, String(refreshed.data['access_token'])).get('/users/me?fields=*');
      expect(me.data).toMatchObject({
        ...{ provider: 'open', external_identifier: person.sub, email: person.email },
        ...{ first_name: 'Ann', last_name: 'Lee', status: 'active', role: null },
      });
    }
    const made = await test.database.query(
      'SELECT id FROM service_users WHERE external_identifier = $1',
      [person.sub],
    );
    expect(made).toHaveLength(1);
  });

  it('ten first sign-ins at once create one user', async () => {
    const person = nextPerson();
    const visits = Array.from({ length: 10 }, () => new ProviderVisit(test, 'open'));
    const steps = await Promise.all(visits.map((visit) => visit.signIn()));
    expect(steps).toEqual(Array(10).fill(GONE_WELL));
    const made = await test.database.query(
      'SELECT id FROM service_users WHERE external_identifier = $1',
      [person.sub],
    );
    expect(made).toHaveLength(1);
  });

  it('names that are too long or cannot be stored are left out', async () => {
    nextPerson({ given_name: 'x'.repeat(256), family_name: 'a\0b' });
    expect(await new ProviderVisit(test, 'open').signIn()).toEqual(GONE_WELL);
    const [user] = await test.database.query(
      'SELECT first_name, last_name FROM service_users ORDER BY date_created DESC LIMIT 1',
    );
    expect(user).toEqual({ first_name: null, last_name: null });
  });

  it('claims may come from the user info endpoint', async () => {
    const { sub, email } = nextPerson();
    provider.person = { sub };
    provider.info = { sub, email, email_verified: true };
    expect(await new ProviderVisit(test, 'open').signIn()).toEqual(GONE_WELL);
  });

  it('an unverified address is accepted where the operator allows it', async () => {
    const { email } = nextPerson({ email_verified: false });
    expect(await new ProviderVisit(test, 'lax').signIn()).toEqual(GONE_WELL);
    const found = await test.database.query('SELECT provider FROM service_users WHERE email = $1', [
      email,
    ]);
    expect(found).toEqual([{ provider: 'lax' }]);
  });
});

describe('a person who denies access at the provider', () => {
  it('comes back with the reason', async () => {
    const visit = new ProviderVisit(test);
    const { location } = await visit.authorize('/admin/login?tab=1');
    const state = new URL(location).searchParams.get('state');
    const back = `${PUBLIC_URL}/auth/login/acme/callback?error=access_denied&state=${state}`;
    expect((await visit.go(back)).location).toBe(
      `${SIGN_IN_PAGE}?tab=1&reason=INVALID_CREDENTIALS`,
    );
  });
});

describe('a provider that is not configured', () => {
  it.each(['/auth/login/nobody', '/auth/login/nobody/callback', '/auth/login/default'])(
    '%s does not exist',
    async (path) => {
      const reply = await as(test).get(path);
      expect([reply.status, reply.codes]).toEqual([404, ['ROUTE_NOT_FOUND']]);
    },
  );
});
