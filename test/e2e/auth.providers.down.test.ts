import type { ServerResponse } from 'node:http';
import { Module } from '@nestjs/common';
import { CollectionsModule, type CollectionHooks, defineError, HooksOf } from 'doorward';
import {
  as,
  AUTH_TRANSPORTS,
  Browser,
  FakeProvider,
  ProviderVisit,
  providerEnv,
  PUBLIC_URL,
  startTestApp,
  TEST_ADMIN,
  type TestApp,
} from '../support';

const PAGE = `${PUBLIC_URL}/admin/login`;

const DirectoryDown = defineError('DIRECTORY_DOWN', 503, 'The directory is down.');

/** A team's directory, in which a hook looks up each new user. */
@HooksOf('service_users')
class DirectoryHooks implements CollectionHooks {
  static down = true;

  beforeCreate<T>(payload: T): T {
    if (DirectoryHooks.down) throw new DirectoryDown({});
    return payload;
  }
}

@Module({ imports: [CollectionsModule.forFeature([])], providers: [DirectoryHooks] })
class DirectoryModule {}

let provider: FakeProvider;
let test: TestApp;

beforeAll(async () => {
  provider = await FakeProvider.start();
  test = await startTestApp({
    env: { PUBLIC_URL, AUTH_PROVIDERS: 'acme', ...providerEnv(provider) },
  });
  await createAnn(test);
});

afterAll(async () => {
  await test.close();
  await provider.close();
});

beforeEach(() => {
  provider.fault = undefined;
});

const createAnn = (app: TestApp): Promise<object[]> =>
  app.database.query(
    `INSERT INTO service_users (provider, external_identifier) VALUES ('acme', 'ann')`,
  );

describe('a provider that is down', () => {
  it('keeps out only its own users, and they get in once it is back', async () => {
    const other = await FakeProvider.start();
    const env = { ...providerEnv(provider), ...providerEnv(other, {}, 'other') };
    const app = await startTestApp({ env: { PUBLIC_URL, ...env, AUTH_PROVIDERS: 'acme,other' } });
    const silenced = jest.spyOn(Date, 'now');
    other.fault = (response) => Boolean(response.writeHead(503).end());
    const away = await new ProviderVisit(app, 'other').authorize();
    expect([away.status, away.codes]).toEqual([503, ['SERVICE_UNAVAILABLE']]);
    const asked = other.asked.length;
    // The next request does not wait for it again.
    expect((await new ProviderVisit(app, 'other').authorize()).status).toBe(503);
    expect(other.asked).toHaveLength(asked);
    expect((await new ProviderVisit(app).authorize()).status).toBe(302);
    expect((await as(app).get('/server/ping')).text).toBe('pong');
    other.fault = undefined;
    silenced.mockReturnValue(Date.now() + 6_000);
    expect((await new ProviderVisit(app, 'other').authorize()).status).toBe(302);
    silenced.mockRestore();
    await app.close();
    await other.close();
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['fails', (response) => response.writeHead(500).end()],
    ['hangs up', (response) => response.destroy()],
    ['is another page', (response) => response.writeHead(200).end('<html></html>')],
    [
      'refuses our client',
      (response) =>
        response
          .writeHead(401, { 'www-authenticate': 'Basic', 'content-type': 'application/json' })
          .end('{"error":"invalid_client"}'),
    ],
    ['never ends', (response) => response.writeHead(200).end('x'.repeat(1_000_000))],
  ])(
    'that fails during a sign-in (%s) sends the browser back with that reason',
    async (_, fault) => {
      const visit = new ProviderVisit(test);
      const { location } = await visit.authorize();
      const back = await visit.consent(location);
      provider.fault = (response, path) => path === '/token' && (fault(response), true);
      expect(await visit.go(back)).toMatchObject({
        location: `${PAGE}?reason=SERVICE_UNAVAILABLE`,
      });
    },
  );

  const metadata = (more: object) => (response: ServerResponse) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ issuer: provider.issuer, ...more }));

  it.each<[string, (response: ServerResponse) => void]>([
    ['missing', (response) => response.writeHead(404).end()],
    ['a redirect', (response) => response.writeHead(302, { location: '/login' }).end()],
    [
      'a page',
      (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html></html>'),
    ],
    ['of another issuer', metadata({ issuer: 'https://other.example' })],
    ['without the address to sign in at', metadata({})],
  ])('is out of service while its configuration is %s', async (_, answer) => {
    const app = await startTestApp({
      env: { PUBLIC_URL, AUTH_PROVIDERS: 'acme', ...providerEnv(provider) },
      logger: false,
    });
    provider.fault = (response, path) =>
      path.includes('openid-configuration') && (answer(response), true);
    const away = await new ProviderVisit(app).authorize();
    expect([away.status, away.codes]).toEqual([503, ['SERVICE_UNAVAILABLE']]);
    await app.close();
  });

  it('is asked for its configuration and its keys only once, however many users sign in', async () => {
    await new ProviderVisit(test).signIn();
    provider.asked.splice(0);
    for (let time = 0; time < 3; time += 1) await new ProviderVisit(test).signIn();
    expect(new Set(provider.asked)).toEqual(new Set(['/authorize', '/token']));
  });
});

it('a first sign-in that fails because a service of the team is down reports that, and succeeds later', async () => {
  const more = { ALLOW_PUBLIC_REGISTRATION: 'true' };
  const env = { PUBLIC_URL, ...providerEnv(provider, more), AUTH_PROVIDERS: 'acme' };
  const app = await startTestApp({ env, imports: [DirectoryModule], logger: false });
  const { location } = await new ProviderVisit(app).signIn();
  expect(location).toBe(`${PAGE}?reason=DIRECTORY_DOWN`);
  DirectoryHooks.down = false;
  expect((await new ProviderVisit(app).signIn()).location).toBe(PAGE);
  await app.close();
});

describe('where passwords are switched off', () => {
  it('no one can sign in with a password, over REST or GraphQL, but users of a provider can', async () => {
    const env = { ...providerEnv(provider), AUTH_PROVIDERS: 'acme', AUTH_DISABLE_DEFAULT: 'true' };
    const app = await startTestApp({ env: { PUBLIC_URL, ...env } });
    expect((await as(app).get('/auth')).body).toMatchObject({ disableDefault: true });
    for (const transport of AUTH_TRANSPORTS) {
      const outcome = await transport.run(new Browser(app), 'login', { ...TEST_ADMIN });
      expect([outcome.codes, outcome.tokens]).toEqual([['INVALID_CREDENTIALS'], {}]);
    }
    await createAnn(app);
    expect(await new ProviderVisit(app).signIn()).toMatchObject({ location: PAGE });
    await app.close();
  });
});
