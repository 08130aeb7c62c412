import { createHmac, generateKeyPairSync } from 'node:crypto';
import {
  FakeProvider,
  type IdToken,
  PROVIDER_CLIENT,
  ProviderVisit,
  providerEnv,
  PUBLIC_URL,
  startTestApp,
  type TestApp,
} from '../support';

let provider: FakeProvider;
let test: TestApp;

beforeAll(async () => {
  provider = await FakeProvider.start();
  const acme = providerEnv(provider, { ALLOW_PUBLIC_REGISTRATION: 'true' });
  const named = { ALLOW_PUBLIC_REGISTRATION: 'true', IDENTIFIER_KEY: 'email' };
  const plain = { ...named, REQUIRE_VERIFIED_EMAIL: 'false' };
  test = await startTestApp({
    env: {
      ...{ PUBLIC_URL, AUTH_PROVIDERS: 'acme,named,plain' },
      ...{ ...acme, ...providerEnv(provider, named, 'named') },
      ...providerEnv(provider, plain, 'plain'),
    },
  });
});

afterAll(async () => {
  await test.close();
  await provider.close();
});

beforeEach(() => {
  provider.person = { sub: 'ann', email: 'ann@example.com', email_verified: true };
  provider.forge = (token) => token;
  provider.info = undefined;
  provider.checksVerifier = true;
});

const stored = (): Promise<object[]> =>
  test.database.query(`
    SELECT (SELECT count(*) FROM service_sessions) AS sessions,
      (SELECT jsonb_agg(to_jsonb(service_users) - 'last_access' ORDER BY id) FROM service_users) AS users`);

async function isRefused(visit: ProviderVisit, code: string, address?: string): Promise<void> {
  const before = await stored();
  const step = address === undefined ? await visit.signIn() : await visit.go(address);
  expect(step.location).toBe(`${PUBLIC_URL}/admin/login?reason=${code}`);
  expect([...visit.browser.cookies.keys()]).toEqual([]);
  expect(await stored()).toEqual(before);
}

const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
const hour = 3_600;
const inPast = (seconds: number): number => Math.floor(Date.now() / 1000) - seconds;

const claims =
  (changed: object) =>
  (token: IdToken): IdToken => ({ ...token, claims: { ...token.claims, ...changed } });
const without =
  (name: string) =>
  (token: IdToken): IdToken => ({
    ...token,
    claims: Object.fromEntries(Object.entries(token.claims).filter(([each]) => each !== name)),
  });
const header =
  (changed: object) =>
  (token: IdToken): IdToken => ({ ...token, header: { ...token.header, ...changed } });

const FORGED: readonly (readonly [string, (token: IdToken) => IdToken])[] = [
  ['of another issuer', claims({ iss: 'https://evil.example' })],
  [
    'of an issuer that only begins like ours',
    (token) => claims({ iss: `${String(token.claims['iss'])}.evil` })(token),
  ],
  ['for another audience', claims({ aud: 'somebody-else' })],
  ['for several audiences, issued to another', claims({ aud: ['doorward', 'x'], azp: 'x' })],
  ['for an empty list of audiences', claims({ aud: [] })],
  ['without an audience', without('aud')],
  ['without an issuer', without('iss')],
  ['without an end', without('exp')],
  ['that has ended', claims({ iat: inPast(2 * hour), exp: inPast(hour) })],
  ['without a user', without('sub')],
  ['with a user that is not text', claims({ sub: 17 })],
  ['with another nonce', claims({ nonce: 'x'.repeat(43) })],
  ['without a nonce', without('nonce')],
  ['signed with another key', (token) => ({ ...token, key: other })],
  ['with a key that the provider does not have', header({ kid: 'two' })],
  ['without a signature', (token) => ({ ...token, key: undefined })],
  ['with alg none', (token) => ({ ...header({ alg: 'none' })(token), key: undefined })],
  ['with another algorithm', header({ alg: 'PS256' })],
  ['signed with the public key as a secret', header({ alg: 'HS256' })],
];

describe('38: an ID token', () => {
  it('that is valid signs in', async () => {
    expect((await new ProviderVisit(test).signIn()).location).toBe(`${PUBLIC_URL}/admin/login`);
  });

  it.each(FORGED)('%s is refused', async (_, forge) => {
    provider.forge = forge;
    await isRefused(new ProviderVisit(test), 'INVALID_TOKEN');
  });

  it('signed with the secret of the client is refused', async () => {
    expect(createHmac('sha256', PROVIDER_CLIENT.secret).update('x').digest()).toHaveLength(32);
    provider.forge = (token) => ({ ...header({ alg: 'HS256' })(token), key: undefined });
    await isRefused(new ProviderVisit(test), 'INVALID_TOKEN');
  });

  it('is combined with the user info of the same user only', async () => {
    provider.person = { sub: 'ann' };
    provider.info = { sub: 'eve', email: 'eve@example.com', email_verified: true };
    await isRefused(new ProviderVisit(test), 'INVALID_TOKEN');
  });
});

describe('38: a code', () => {
  it('is refused the second time, by us and by the provider', async () => {
    const visit = new ProviderVisit(test);
    const back = await visit.consent((await visit.authorize()).location);
    const cookies = new Map(visit.browser.cookies);
    expect((await visit.go(back)).location).toBe(`${PUBLIC_URL}/admin/login`);
    const thief = new ProviderVisit(test);
    for (const [name, value] of cookies) thief.browser.cookies.set(name, value);
    await isRefused(thief, 'INVALID_TOKEN', back);
    // In a sign-in that the thief started.
    const own = new ProviderVisit(test);
    const state = new URL((await own.authorize()).location).searchParams.get('state') ?? '';
    const again = new URL(back);
    again.searchParams.set('state', state);
    await isRefused(own, 'INVALID_TOKEN', again.href);
  });

  it.each([true, false])(
    'of another sign-in is refused, by its verifier or by its nonce (%s)',
    async (checksVerifier) => {
      provider.checksVerifier = checksVerifier;
      const eve = new ProviderVisit(test);
      const stolen = new URL(await eve.consent((await eve.authorize()).location));
      const visit = new ProviderVisit(test);
      const state = new URL((await visit.authorize()).location).searchParams.get('state') ?? '';
      stolen.searchParams.set('state', state);
      await isRefused(visit, 'INVALID_TOKEN', stolen.href);
    },
  );
});

describe('38: an e-mail that is not verified', () => {
  const person = { sub: 'eve', email: 'eva@example.com' };

  it.each([false, undefined, null, 'false', 0, 'yes', ''])('(%j) is refused', async (verified) => {
    provider.person = { ...person, email_verified: verified };
    await isRefused(new ProviderVisit(test), 'INVALID_CREDENTIALS');
  });

  it('does not become verified by user info about another address', async () => {
    provider.person = person;
    provider.forge = without('email_verified');
    provider.info = { email: 'eve@example.com', email_verified: true };
    await isRefused(new ProviderVisit(test), 'INVALID_CREDENTIALS');
  });

  it('does not become verified by a token about another address', async () => {
    provider.person = { ...person, email_verified: true };
    provider.forge = without('email');
    provider.info = { sub: person.sub, email: 'eve@example.com', email_verified: false };
    await isRefused(new ProviderVisit(test), 'INVALID_CREDENTIALS');
    provider.info = { ...provider.info, email_verified: true };
    expect((await new ProviderVisit(test).signIn()).location).not.toContain('reason');
  });

  it('is never an identity, not even where the operator accepts it as an address', async () => {
    provider.person = { ...person, email_verified: true };
    expect((await new ProviderVisit(test, 'plain').signIn()).location).not.toContain('reason');
    provider.person = { ...person, sub: 'mallory', email_verified: false };
    await isRefused(new ProviderVisit(test, 'plain'), 'INVALID_CREDENTIALS');
    await isRefused(new ProviderVisit(test, 'named'), 'INVALID_CREDENTIALS');
  });
});
