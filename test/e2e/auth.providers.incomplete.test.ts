import type { ServerResponse } from 'node:http';
import {
  FakeProvider,
  type IdToken,
  ProviderVisit,
  providerEnv,
  PUBLIC_URL,
  startTestApp,
  verboseLogger,
  type TestApp,
} from '../support';

const PAGE = `${PUBLIC_URL}/admin/login`;
const DOCUMENT = '/.well-known/openid-configuration';

let provider: FakeProvider;
let test: TestApp;
let log = '';
const spies: jest.SpyInstance[] = [];

beforeAll(async () => {
  for (const stream of [process.stdout, process.stderr]) {
    const spy = jest.spyOn(stream, 'write').mockImplementation((text) => {
      log += String(text);
      return true;
    });
    spies.push(spy);
  }
  provider = await FakeProvider.start();
  const open = { ALLOW_PUBLIC_REGISTRATION: 'true' };
  const staff = { ...open, IDENTIFIER_KEY: 'staff_id' };
  const env = { ...providerEnv(provider, open), ...providerEnv(provider, staff, 'staff') };
  test = await startTestApp({ env: { PUBLIC_URL, AUTH_PROVIDERS: 'acme,staff', ...env } });
  test.app.useLogger(verboseLogger());
});

afterAll(async () => {
  await test.close();
  await provider.close();
  for (const spy of spies) spy.mockRestore();
});

beforeEach(() => {
  log = '';
  provider.fault = undefined;
  provider.info = undefined;
  provider.forge = (token) => token;
  provider.person = { sub: 'canary', email: 'canary@example.com', email_verified: true };
});

const answer = (at: string, body: unknown, status = 200): void => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const type = typeof body === 'string' ? 'text/html' : 'application/json';
  provider.fault = (response, path) =>
    path === at && Boolean(response.writeHead(status, { 'content-type': type }).end(text));
};

const signIn = async (name = 'acme'): Promise<string> => {
  const { location } = await new ProviderVisit(test, name).signIn();
  expect(log).not.toContain('canary');
  return location;
};

const TOKENS = { access_token: 'canary-access', token_type: 'Bearer', id_token: 'canary.id.token' };

describe('an answer of a provider that lacks a part makes the sign-in unavailable, and the log names the part', () => {
  it.each<[string, object | string, number, string]>([
    ['/token', { ...TOKENS, id_token: undefined }, 200, '/token lacks id_token'],
    ['/token', { token_type: 'Bearer' }, 200, '/token lacks access_token, id_token'],
    ['/token', { ...TOKENS, token_type: undefined }, 200, '/token lacks token_type'],
    ['/token', '<html>canary</html>', 200, '/token did not answer with a JSON object'],
    ['/token', '<html>canary</html>', 404, '/token answered 404'],
    ['/token', '', 500, '/token answered 500'],
    ['/userinfo', { email: 'canary@example.com' }, 200, '/userinfo lacks sub'],
    ['/userinfo', '<html>canary</html>', 200, '/userinfo did not answer with a JSON object'],
    ['/userinfo', '', 404, '/userinfo answered 404'],
    ['/userinfo', { error: 'canary' }, 403, '/userinfo answered 403'],
  ])('%s: %j', async (at, body, status, logged) => {
    provider.person = { sub: 'canary' };
    answer(at, body, status);
    expect(await signIn()).toBe(`${PAGE}?reason=SERVICE_UNAVAILABLE`);
    expect(log).toContain(`${provider.issuer}${logged}`);
  });
});

describe('a provider that does not say who the person is', () => {
  it.each(['iss', 'sub', 'aud', 'exp', 'iat', 'nonce'])(
    'by an ID token without %s is refused, and the log names that claim',
    async (name) => {
      provider.forge = (token: IdToken) => ({
        ...token,
        claims: { ...token.claims, [name]: undefined },
      });
      expect(await signIn()).toBe(`${PAGE}?reason=INVALID_TOKEN`);
      expect(log).toContain(`OAUTH_INVALID_RESPONSE (${name})`);
    },
  );

  it('by the configured claim is refused, and the log names the claim', async () => {
    expect(await signIn('staff')).toBe(`${PAGE}?reason=INVALID_CREDENTIALS`);
    expect(log).toContain('there is no usable claim staff_id');
  });

  it('by an address is refused, and the log says that there is none', async () => {
    provider.person = { sub: 'canary' };
    expect(await signIn()).toBe(`${PAGE}?reason=INVALID_CREDENTIALS`);
    expect(log).toContain('there is no usable claim email');
  });
});

describe('an issuer that is not spelled as the provider does', () => {
  const realm = (named: string) => (response: ServerResponse, path: string) =>
    path === `/realm${DOCUMENT}` &&
    Boolean(
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ issuer: `${provider.issuer}${named}` })),
    );

  it.each([
    ['/realm', '/realm/'],
    ['/realm/', '/realm'],
    [`/realm${DOCUMENT}`, '/other'],
  ])('as %s instead of %s is logged with both', async (configured, named) => {
    const env = providerEnv(provider, { ISSUER_URL: `${provider.issuer}${configured}` });
    const app = await startTestApp({ env: { PUBLIC_URL, AUTH_PROVIDERS: 'acme', ...env } });
    app.app.useLogger(verboseLogger());
    provider.fault = realm(named);
    expect((await new ProviderVisit(app).authorize()).codes).toEqual(['SERVICE_UNAVAILABLE']);
    expect(log).toContain(
      `names the issuer ${provider.issuer}${named}, but ${provider.issuer}${configured} is configured`,
    );
    await app.close();
  });

  it.each(['', { error: 'Realm does not exist' }])(
    'where no document exists is logged with the address of the document: %j',
    async (body) => {
      answer(`/nowhere${DOCUMENT}`, body, 404);
      const env = providerEnv(provider, { ISSUER_URL: `${provider.issuer}/nowhere` });
      const app = await startTestApp({ env: { PUBLIC_URL, AUTH_PROVIDERS: 'acme', ...env } });
      app.app.useLogger(verboseLogger());
      expect((await new ProviderVisit(app).authorize()).codes).toEqual(['SERVICE_UNAVAILABLE']);
      expect(log).toContain(`${provider.issuer}/nowhere${DOCUMENT} answered 404`);
      await app.close();
    },
  );
});
