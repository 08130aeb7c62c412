import { Accounts } from '../../src/auth/accounts';
import { Sessions } from '../../src/auth/sessions/sessions';
import {
  as,
  AUTH_TRANSPORTS,
  Browser,
  codeOf,
  createPerson,
  enableTfa,
  type Enabled,
  forgetSteps,
  type Person,
  recordMails,
  type RecordedMails,
  type Reply,
  signIn,
  startTestApp,
  TEST_ADMIN,
  type TestApp,
  type TestClient,
  wrongCodeOf,
} from '../support';

/** A client that is not signed in. */
const NOWHERE = { ip: null, device: null, origin: null };

const PASSWORD = 'a-password-of-theirs';
const CODES = 5;
/** A comment that is too long for any change. */
const TOO_LONG = { 'x-comment': 'x'.repeat(2_001) };

let test: TestApp;
let admin: TestClient;
let recorded: RecordedMails;

beforeAll(async () => {
  test = await startTestApp({ env: { RATE_LIMIT_CODES: String(CODES) } });
  recorded = recordMails(test);
  admin = as(test, (await signIn(test, TEST_ADMIN)).access_token);
});

afterAll(() => test.close());

/** A user with two-factor authentication. */
async function person(): Promise<Person & Enabled> {
  const created = await createPerson(test, admin, PASSWORD);
  return { ...created, ...(await enableTfa(test, created.client, PASSWORD)) };
}

const sessionsOf = async ({ id }: Person): Promise<number> =>
  (await test.database.query('SELECT 1 FROM service_sessions WHERE "user" = $1::uuid', [id]))
    .length;

it.each(AUTH_TRANSPORTS)(
  '46: a new password by mail and $name gives no token, and the code is asked for as before',
  async (transport) => {
    const ann = await person();
    await as(test).post('/auth/password/request', { email: ann.email });
    const [password, browser] = ['a-password-by-mail', new Browser(test)];
    const token = await recorded.tokenFor(ann.email);
    const reset = await transport.run(browser, 'password/reset', { token, password });
    expect(reset.codes).toEqual([]);
    expect([reset.text, browser.cookies.size]).toEqual([expect.not.stringMatching(/token/), 0]);
    expect(await sessionsOf(ann)).toBe(0);
    const half = await transport.run(new Browser(test), 'login', { email: ann.email, password });
    expect(half.codes).toEqual(['INVALID_OTP']);
    expect(await sessionsOf(ann)).toBe(0);
    const otp = codeOf(ann.secret);
    const whole = await transport.run(new Browser(test), 'login', {
      email: ann.email,
      password,
      otp,
    });
    expect(whole.codes).toEqual([]);
  },
);

describe.each(AUTH_TRANSPORTS)('46: half a sign-in by $name', (transport) => {
  it.each(['json', 'cookie', 'session'])('in %s mode gives nothing', async (mode) => {
    const ann = await person();
    const before = await sessionsOf(ann);
    const browser = new Browser(test);
    for (const otp of [undefined, wrongCodeOf(ann.secret), 'aaaa-bbbb-cccc-dddd']) {
      const body = {
        email: ann.email,
        password: PASSWORD,
        mode,
        ...(otp !== undefined && { otp }),
      };
      const outcome = await transport.run(browser, 'login', body);
      expect([outcome.codes, outcome.tokens]).toEqual([['INVALID_OTP'], {}]);
      if (transport.name === 'REST') expect(outcome.status).toBe(401);
    }
    expect(browser.cookies.size).toBe(0);
    const refreshed = await transport.run(browser, 'refresh', { mode });
    expect([refreshed.codes, refreshed.tokens]).toEqual([['INVALID_PAYLOAD'], {}]);
    expect(await sessionsOf(ann)).toBe(before);
  });

  it('does not reveal to a caller without the password that a code is required, nor accept one', async () => {
    const ann = await person();
    const body = { email: ann.email, password: 'not-the-password', otp: codeOf(ann.secret) };
    const browser = new Browser(test);
    const nobody = await transport.run(browser, 'login', { ...body, email: 'nobody@example.com' });
    const wrong = await transport.run(browser, 'login', body);
    expect([wrong.status, wrong.codes, wrong.text]).toEqual([
      ...[nobody.status, nobody.codes, nobody.text],
    ]);
    const right = await transport.run(browser, 'login', { ...body, password: PASSWORD });
    expect(right.codes).toEqual([]);
  });

  it('starts no session either if two-factor was enabled while the password was being checked', async () => {
    const ann = await person();
    await admin.post(`/users/${ann.id}/tfa/disable`, {});
    const before = await sessionsOf(ann);
    const account = await test.app
      .get(Accounts)
      .verifyCredentials({ email: ann.email, password: PASSWORD }, NOWHERE);
    await enableTfa(test, ann.client, PASSWORD);
    await expect(test.app.get(Sessions).begin(account, NOWHERE, 60_000)).rejects.toThrow();
    expect(await sessionsOf(ann)).toBe(before);
  });
});

describe('47: a one-time password', () => {
  const login = ({ email }: Person, otp: string) =>
    as(test).post('/auth/login', { email, password: PASSWORD, otp });

  it('is accepted once, whatever it is first used for', async () => {
    const ann = await person();
    const otp = codeOf(ann.secret);
    expect((await login(ann, otp)).status).toBe(200);
    expect((await login(ann, otp)).codes).toEqual(['INVALID_OTP']);
    const change = { email: 'changed@example.com', otp };
    expect((await ann.client.patch('/users/me', change)).codes).toEqual(['INVALID_PAYLOAD']);
    expect((await ann.client.post('/users/me/tfa/disable', { otp })).status).toBe(400);
  });

  const MUTATION = 'mutation ($data: update_users_input!) { update_users_me(data: $data) { id } }';

  it.each<[string, (client: TestClient, data: object) => Promise<Pick<Reply, 'codes'>>]>([
    ['REST', (client, data) => client.patch('/users/me?fields=id', data)],
    [
      'GraphQL',
      (client, data) => client.post('/graphql/system', { query: MUTATION, variables: { data } }),
    ],
  ])('is not used up by a new password that is refused, by %s', async (_, change) => {
    const { client, secret } = await person();
    const otp = codeOf(secret);
    expect((await change(client, { password: 'short', otp })).codes).toEqual(['FAILED_VALIDATION']);
    expect((await change(client, { password: 'another-one-of-theirs', otp })).codes).toEqual([]);
  });

  it('that enabled two-factor cannot be used to sign in', async () => {
    const ann = await person();
    await admin.post(`/users/${ann.id}/tfa/disable`, {});
    const { data } = await ann.client.post('/users/me/tfa/generate', { password: PASSWORD });
    const secret = String(data['secret']);
    const otp = codeOf(secret);
    expect((await ann.client.post('/users/me/tfa/enable', { secret, otp })).status).toBe(200);
    expect((await login(ann, otp)).codes).toEqual(['INVALID_OTP']);
  });

  it.each(['a code', 'a recovery code'])('ten times at once is accepted once: %s', async (kind) => {
    const ann = await person();
    const otp = kind === 'a code' ? codeOf(ann.secret) : (ann.codes[0] ?? '');
    const replies = await Promise.all(Array.from({ length: 10 }, () => login(ann, otp)));
    const statuses = replies.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => ![200, 401, 429].includes(status))).toEqual([]);
  });

  it('enables one secret once, if sent ten times at once', async () => {
    const ann = await person();
    await admin.post(`/users/${ann.id}/tfa/disable`, {});
    const { data } = await ann.client.post('/users/me/tfa/generate', { password: PASSWORD });
    const secret = String(data['secret']);
    const body = { secret, otp: codeOf(secret) };
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => ann.client.post('/users/me/tfa/enable', body)),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    const shown = replies.filter(({ text }) => text.includes('recovery_codes'));
    expect(shown).toHaveLength(1);
  });
});

describe('48: codes and passwords that are guessed', () => {
  const graphql = (client: TestClient, query: string) => client.post('/graphql/system', { query });

  it('count together in every route and operation, and block all of them for this user alone', async () => {
    const [ann, bob] = [await person(), await person()];
    const otp = wrongCodeOf(ann.secret);
    const email = 'stolen@example.com';
    const login = (code: string) =>
      as(test).post('/auth/login', { email: ann.email, password: PASSWORD, otp: code });
    const guesses = [
      await login(otp),
      await graphql(
        as(test),
        `mutation { auth_login(email: "${ann.email}", password: "${PASSWORD}", otp: "${otp}") { expires } }`,
      ),
      await ann.client.post('/users/me/tfa/disable', { otp }),
      await ann.client.patch('/users/me', { email, current_password: 'guessed-wrong' }),
      await graphql(
        ann.client,
        `mutation { update_users_me(data: { email: "${email}", otp: "${otp}" }) { id } }`,
      ),
    ];
    const codes = guesses.flatMap((reply) => reply.codes);
    expect(codes.toSorted()).toEqual([
      ...['INVALID_OTP', 'INVALID_OTP'],
      ...['INVALID_PAYLOAD', 'INVALID_PAYLOAD', 'INVALID_PAYLOAD'],
    ]);
    const right = { otp: codeOf(ann.secret) };
    const shut = [
      await login(right.otp),
      await login(ann.codes[0] ?? ''),
      await ann.client.post('/users/me/tfa/disable', right),
      await ann.client.post('/users/me/tfa/generate', { password: PASSWORD }),
      await ann.client.patch('/users/me', { email, current_password: PASSWORD }),
      await graphql(ann.client, `mutation { users_me_tfa_disable(otp: "${right.otp}") }`),
    ];
    for (const reply of shut) expect(reply.codes).toEqual(['REQUESTS_EXCEEDED']);
    expect(Number(shut[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
    await forgetSteps(test);
    const others = { email: bob.email, password: PASSWORD, otp: codeOf(bob.secret) };
    expect((await as(test).post('/auth/login', others)).status).toBe(200);
  });

  it('are not counted if nothing was guessed', async () => {
    const ann = await person();
    for (let turn = 0; turn < 2 * CODES; turn += 1) {
      await as(test).post('/auth/login', { email: ann.email, password: PASSWORD });
      await ann.client.patch('/users/me', { email: 'x@example.com' });
      const right = { otp: codeOf(ann.secret) };
      const refused = await ann.client.send('POST', '/users/me/tfa/disable', right, TOO_LONG);
      expect(refused.text).toContain('X-Comment');
    }
    const body = { email: ann.email, password: PASSWORD, otp: codeOf(ann.secret) };
    expect((await as(test).post('/auth/login', body)).status).toBe(200);
  });

  it('are limited to the same number if sent at once', async () => {
    const ann = await person();
    const otp = wrongCodeOf(ann.secret);
    const replies = await Promise.all(
      Array.from({ length: 40 }, () => ann.client.post('/users/me/tfa/disable', { otp })),
    );
    const statuses = replies.map(({ status }) => status);
    expect(statuses.filter((status) => status === 400)).toHaveLength(CODES);
    expect(statuses.filter((status) => status === 429)).toHaveLength(40 - CODES);
  });
});
