import {
  FakeProvider,
  makeTestStorage,
  onPostgres,
  ProviderVisit,
  providerEnv,
  PUBLIC_URL,
  startTestApp,
  type TestApp,
  type TestStorage,
} from '../support';

const COOKIE = 'service_sign_in';
const PAGE = `${PUBLIC_URL}/admin/login`;

let provider: FakeProvider;
let storage: TestStorage;
/** On PostgreSQL two on one database; the embedded database serves only one. */
const instances: TestApp[] = [];

beforeAll(async () => {
  provider = await FakeProvider.start();
  storage = await makeTestStorage();
  const open = { ALLOW_PUBLIC_REGISTRATION: 'true' };
  const env = {
    ...{ PUBLIC_URL, AUTH_PROVIDERS: 'acme,other' },
    ...{ ...providerEnv(provider, open), ...providerEnv(provider, open, 'other') },
  };
  const start = (): Promise<TestApp> => startTestApp({ storage: storage.storage, env });
  instances.push(await start());
  if (onPostgres() !== undefined) instances.push(await start());
});

afterAll(async () => {
  for (const instance of instances) await instance.close();
  await storage.drop();
  await provider.close();
});

const here = (): TestApp => instances[0] as TestApp;

interface Waiting {
  readonly visit: ProviderVisit;
  /** Where the provider sends the browser. */
  readonly back: string;
  readonly cookie: string;
}

/** A sign-in whose redirect back to us the browser has not followed yet. */
async function waiting(name = 'acme', instance = here()): Promise<Waiting> {
  const visit = new ProviderVisit(instance, name);
  const back = await visit.consent((await visit.authorize()).location);
  return { visit, back, cookie: visit.browser.cookies.get(COOKIE) ?? '' };
}

/** Follows the redirect, with the given cookie or without one. */
async function comeBack(back: string, cookie?: string, instance = here()) {
  const visit = new ProviderVisit(instance);
  if (cookie !== undefined) visit.browser.cookies.set(COOKIE, cookie);
  const { location } = await visit.go(back);
  return { location, cookies: [...visit.browser.cookies.keys()] };
}

const REFUSED = { location: `${PAGE}?reason=INVALID_TOKEN`, cookies: [] };
/** For the callback of another attempt: it does not end the browser's own. */
const IGNORED = { ...REFUSED, cookies: [COOKIE] };
const SIGNED_IN = { location: PAGE, cookies: ['service_session_token'] };

describe("56: a victim who is led to the attacker's callback", () => {
  it('is not signed in as the attacker: without a cookie, or with that of a sign-in of their own', async () => {
    const attacker = await waiting();
    const victim = await waiting();
    expect(await comeBack(attacker.back)).toEqual(REFUSED);
    expect(await comeBack(attacker.back, victim.cookie)).toEqual(IGNORED);
    expect(await comeBack(victim.back, victim.cookie)).toEqual(SIGNED_IN);
  });

  it.each<[string, (url: URL) => void]>([
    ['a different state', (url) => url.searchParams.set('state', 'x'.repeat(43))],
    ['no state', (url) => url.searchParams.delete('state')],
    ['an empty state', (url) => url.searchParams.set('state', '')],
  ])('is not signed in with %s, and can still come back', async (_, change) => {
    const { back, cookie } = await waiting();
    const url = new URL(back);
    change(url);
    expect(await comeBack(url.href, cookie)).toEqual(IGNORED);
    expect(await comeBack(back, cookie)).toEqual(SIGNED_IN);
  });

  it.each<[string, (url: URL) => void]>([
    ['two states', (url) => url.searchParams.append('state', 'x')],
    ['no code', (url) => url.searchParams.delete('code')],
    ['two codes', (url) => url.searchParams.append('code', 'x')],
    ['another code', (url) => url.searchParams.set('code', 'x')],
    ['another issuer', (url) => url.searchParams.set('iss', 'https://evil.example')],
    ['a token instead', (url) => url.searchParams.set('response', 'x.y.z')],
  ])('is not signed in with %s either', async (_, change) => {
    const { back, cookie } = await waiting();
    const url = new URL(back);
    change(url);
    expect(await comeBack(url.href, cookie)).toEqual(REFUSED);
  });

  it('is not signed in with a cookie that was altered, cut or made up', async () => {
    const { back, cookie } = await waiting();
    const [id, body = ''] = cookie.split('.');
    const swapped = `${body.startsWith('A') ? 'B' : 'A'}${body.slice(1)}`;
    for (const forged of [
      '',
      'x',
      'x.y',
      `${id}.`,
      `${id}.${swapped}`,
      cookie.slice(0, -4),
      `x${cookie}`,
    ]) {
      expect(await comeBack(back, forged)).toEqual(REFUSED);
    }
    expect(await comeBack(back, cookie)).toEqual(SIGNED_IN);
  });
});

describe('56: the cookie of a sign-in', () => {
  it('is valid for one provider only', async () => {
    const { back, cookie } = await waiting('other');
    const elsewhere = back.replace('/auth/login/other/', '/auth/login/acme/');
    expect(await comeBack(elsewhere, cookie)).toEqual(REFUSED);
  });

  it('works once, on any instance, also if used ten times at once', async () => {
    const { back, cookie } = await waiting();
    const landed = await Promise.all(
      Array.from({ length: 10 }, (_, n) => comeBack(back, cookie, instances[n % instances.length])),
    );
    expect(landed.filter(({ location }) => location === PAGE)).toHaveLength(1);
    expect(landed.filter(({ location }) => location !== PAGE)).toEqual(Array(9).fill(REFUSED));
  });

  it('works on another instance than the one where it was set', async () => {
    const { back, cookie } = await waiting();
    expect(await comeBack(back, cookie, instances.at(-1))).toEqual(SIGNED_IN);
  });

  it('is removed once the browser is back, and after ten minutes', async () => {
    const { visit, back } = await waiting();
    await visit.go(back);
    expect(visit.browser.cookies.has(COOKIE)).toBe(false);
    const late = await waiting();
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 600_001);
    expect(await comeBack(late.back, late.cookie)).toEqual(REFUSED);
    clock.mockRestore();
  });

  it('leaves no stored data for long', async () => {
    await here().database.query(
      `INSERT INTO service_used_attempts SELECT 'old' || n, now() - interval '1 minute' FROM generate_series(1, 30) n`,
    );
    for (let time = 0; time < 2; time += 1) {
      const { back, cookie } = await waiting();
      await comeBack(back, cookie);
    }
    const old = await here().database.query(
      'SELECT 1 FROM service_used_attempts WHERE expires_at < now()',
    );
    expect(old).toEqual([]);
  });
});
