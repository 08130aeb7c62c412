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

const PAGE = `${PUBLIC_URL}/admin/login`;

let provider: FakeProvider;
let test: TestApp;
let admin: TestClient;

beforeAll(async () => {
  provider = await FakeProvider.start();
  const open = { ALLOW_PUBLIC_REGISTRATION: 'true', IDENTIFIER_KEY: 'email' };
  const upn = { IDENTIFIER_KEY: 'upn' };
  const env = {
    ...providerEnv(provider, open, 'mail'),
    ...providerEnv(provider, upn, 'upn'),
    ...providerEnv(provider),
  };
  test = await startTestApp({ env: { PUBLIC_URL, AUTH_PROVIDERS: 'mail,upn,acme', ...env } });
  admin = as(test, (await signIn(test, TEST_ADMIN)).access_token);
});

afterAll(async () => {
  await test.close();
  await provider.close();
});

/** @returns the id of the user who is then signed in, or where the browser was sent instead */
async function comeAs(email: string, name = 'mail', claims: object = {}): Promise<unknown> {
  provider.person = { sub: email, email, email_verified: true, ...claims };
  const visit = new ProviderVisit(test, name);
  const { location } = await visit.signIn();
  return location === PAGE ? (await visit.me())?.['id'] : location;
}

async function createUser(external_identifier: string, name: string): Promise<unknown> {
  const { data } = await admin.post('/users', { provider: name, external_identifier });
  return data['id'];
}

describe('a user whom the provider identifies by address', () => {
  it('is the same in every spelling of letter case, at the first sign-in and later', async () => {
    const id = await comeAs('User@Example.com');
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(await comeAs('user@example.com')).toBe(id);
    expect(await comeAs('USER@EXAMPLE.COM')).toBe(id);
    expect((await admin.get(`/users/${String(id)}?fields=email,external_identifier`)).data).toEqual(
      { email: 'User@Example.com', external_identifier: 'user@example.com' },
    );
  });

  it('is found as an administrator has written the address, and has a session until that changes', async () => {
    const id = await createUser('Bob@Example.com', 'mail');
    expect(await comeAs('bob@example.com')).toBe(id);
    expect(await comeAs('BOB@example.com')).toBe(id);
  });

  it('is found by another claim that holds the address', async () => {
    const id = await createUser('Cy@Example.com', 'upn');
    expect(await comeAs('cy@example.com', 'upn', { upn: 'CY@example.com' })).toBe(id);
  });

  it('is the one who is written exactly so, or nobody, where two differ by letter case only', async () => {
    await createUser('Dee@Example.com', 'mail');
    await createUser('DEE@Example.com', 'mail');
    expect(await comeAs('dee@example.com')).toBe(`${PAGE}?reason=INVALID_CREDENTIALS`);
    const exact = await createUser('dee@example.com', 'mail');
    expect(await comeAs('Dee@example.com')).toBe(exact);
  });
});

it('a subject is compared exactly, even one that looks like an address', async () => {
  const id = await createUser('Eve@Example.com', 'acme');
  expect(await comeAs('eve@example.com', 'acme')).toBe(`${PAGE}?reason=INVALID_CREDENTIALS`);
  expect(await comeAs('eve@example.com', 'acme', { sub: 'Eve@Example.com' })).toBe(id);
});
