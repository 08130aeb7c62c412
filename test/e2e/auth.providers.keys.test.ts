import {
  FakeProvider,
  ProviderVisit,
  providerEnv,
  PUBLIC_URL,
  startTestApp,
  type TestApp,
} from '../support';

const PAGE = `${PUBLIC_URL}/admin/login`;

let provider: FakeProvider;
let test: TestApp;
let now = Date.now();

beforeAll(async () => {
  provider = await FakeProvider.start();
  const more = { ALLOW_PUBLIC_REGISTRATION: 'true' };
  test = await startTestApp({
    env: { PUBLIC_URL, AUTH_PROVIDERS: 'acme', ...providerEnv(provider, more) },
  });
});

afterAll(async () => {
  await test.close();
  await provider.close();
});

beforeEach(async () => {
  provider.forge = (token) => token;
  provider.fault = undefined;
  // The keys of the test before are no longer used.
  now += 400_000;
  jest.spyOn(Date, 'now').mockImplementation(() => now);
  expect(await signIn()).toBe(PAGE);
  provider.asked.splice(0);
});

afterAll(() => {
  jest.restoreAllMocks();
});

const signIn = async (): Promise<string> => (await new ProviderVisit(test).signIn()).location;
const looks = (): number => provider.asked.filter((path) => path === '/keys').length;
const signedBy = (kid: string): void => {
  provider.forge = (token) => ({ ...token, header: { ...token.header, kid } });
};

describe('a provider that replaces its keys', () => {
  it('is asked for them once, however recently they were read, and however many sign in', async () => {
    provider.replaceKeys('two');
    expect(await Promise.all(Array.from({ length: 5 }, signIn))).toEqual(Array(5).fill(PAGE));
    expect(looks()).toBe(1);
    now += 6_000;
    provider.replaceKeys('three');
    expect(await signIn()).toBe(PAGE);
    expect(looks()).toBe(2);
  });

  it('is not asked for each token with an unknown key, but again after five seconds', async () => {
    for (let time = 0; time < 5; time += 1) {
      signedBy(`unknown-${time}`);
      expect(await signIn()).toBe(`${PAGE}?reason=INVALID_TOKEN`);
    }
    expect(looks()).toBe(1);
    now += 6_000;
    expect(await signIn()).toBe(`${PAGE}?reason=INVALID_TOKEN`);
    expect(looks()).toBe(2);
  });

  it('is trusted for five minutes after it has withdrawn a key', async () => {
    now += 290_000;
    expect(await signIn()).toBe(PAGE);
    expect(looks()).toBe(0);
    now += 11_000;
    provider.fault = (response, path) =>
      path === '/keys' && Boolean(response.writeHead(200).end('{"keys":[]}'));
    expect(await signIn()).toContain('reason=');
    expect(looks()).toBe(1);
  });
});

describe('a provider whose keys cannot be read', () => {
  it.each<[string, number, string]>([
    ['fails', 500, ''],
    ['refuses', 403, '{"error":"x"}'],
    ['answers with a page', 200, '<html></html>'],
    ['lists none', 200, '{}'],
  ])(
    'since it %s is unavailable, and in use again as soon as they can',
    async (_, status, body) => {
      now += 400_000;
      provider.fault = (response, path) =>
        path === '/keys' && Boolean(response.writeHead(status).end(body));
      expect(await signIn()).toBe(`${PAGE}?reason=SERVICE_UNAVAILABLE`);
      provider.fault = undefined;
      expect(await signIn()).toBe(PAGE);
    },
  );
});
