import {
  as,
  codeOf,
  enableTfa,
  forgetSteps,
  recordMails,
  type RecordedMails,
  signIn,
  signInWith,
  startTestApp,
  TEST_ADMIN,
  type TestApp,
  type TestClient,
  wrongCodeOf,
} from '../../support';

const PASSWORD = 'canary-of-passwords';

let test: TestApp;
let admin: TestClient;
let recorded: RecordedMails;

beforeAll(async () => {
  test = await startTestApp();
  recorded = recordMails(test);
  admin = as(test, (await signIn(test, TEST_ADMIN)).access_token);
}, 120_000);

afterAll(() => test.close());

let people = 0;

async function person(): Promise<{ id: string; email: string }> {
  const email = `person-${(people += 1)}@example.com`;
  const reply = await admin.post('/users', { email, password: PASSWORD });
  return { id: String(reply.data['id']), email };
}

/** The log entries about a user, without the writes of their row. */
async function entriesAbout(id: string): Promise<unknown> {
  const filter = JSON.stringify({ item: { _eq: id }, action: { _nin: ['create', 'update'] } });
  const fields = 'action,user,collection,fields,ip,user_agent';
  return (await admin.get(`/activity?sort=id&filter=${filter}&fields=${fields}`)).data;
}

const entry = (action: string, user: string | null, fields: string[] = []): object => ({
  ...{ action, user, collection: 'service_users', fields },
  ...{ ip: '127.0.0.1', user_agent: expect.any(String) as string },
});

describe('The log', () => {
  it('shows who signed in, and failed sign-ins', async () => {
    const { id, email } = await person();
    await signInWith(test, email, 'wrong-password');
    await signIn(test, { email, password: PASSWORD });
    const query = `mutation { auth_login(email: "${email}", password: "wrong") { access_token } }`;
    await as(test).post('/graphql/system', { query });
    expect(await entriesAbout(id)).toEqual([
      entry('login_failed', null),
      entry('login', id),
      entry('login_failed', null),
    ]);
  });

  it('does not store e-mail addresses that belong to no user', async () => {
    const count = async (): Promise<unknown> =>
      (
        await admin.get(
          `/activity?aggregate[count]=*&filter=${JSON.stringify({ item: { _null: true }, action: { _eq: 'login_failed' } })}`,
        )
      ).data;
    expect(await count()).toEqual([{ count: 0 }]);
    await signInWith(test, 'nobody-canary@example.com', PASSWORD);
    expect(await count()).toEqual([{ count: 1 }]);
    const [{ text } = { text: '' }] = await test.database.query<{ text: string }>(
      `SELECT string_agg(to_jsonb(a)::text, ' ') AS text FROM service_activity a`,
    );
    expect(text).not.toContain('nobody-canary');
    expect(text).not.toContain(PASSWORD);
  });

  it('records two-factor authentication being switched on and off, and wrong codes, without codes or secrets', async () => {
    const { id, email } = await person();
    const client = as(test, (await signIn(test, { email, password: PASSWORD })).access_token);
    const { secret, codes } = await enableTfa(test, client, PASSWORD);
    const wrong = wrongCodeOf(secret);
    await signInWith(test, email, PASSWORD);
    await signInWith(test, email, PASSWORD, wrong);
    await forgetSteps(test);
    expect((await client.post('/users/me/tfa/disable', { otp: codeOf(secret) })).status).toBe(204);
    expect(await entriesAbout(id)).toEqual([
      entry('login', id),
      entry('tfa_enabled', id, ['tfa_secret']),
      // Being asked for the code does not count as a failure.
      entry('login_failed', null),
      entry('tfa_disabled', id, ['tfa_secret']),
    ]);
    const rows = JSON.stringify(await test.database.query('SELECT * FROM service_activity'));
    for (const canary of [secret, ...codes]) expect(rows).not.toContain(canary);
  });

  it('records a password reset, but not the token', async () => {
    const { id, email } = await person();
    await as(test).post('/auth/password/request', { email });
    const token = await recorded.tokenFor(email);
    const reset = { token, password: 'canary-of-passwords-2' };
    expect((await as(test).post('/auth/password/reset', reset)).status).toBe(204);
    expect(await entriesAbout(id)).toEqual([entry('password_reset', id, ['password'])]);
    const rows = JSON.stringify(await test.database.query('SELECT * FROM service_activity'));
    expect(rows).not.toContain(token);
    expect(rows).not.toContain('canary-of-passwords');
  });

  it('records sessions that an administrator ended', async () => {
    const { id } = await person();
    const [{ id: own } = { id: '' }] = await test.database.query<{ id: string }>(
      'SELECT id FROM service_users WHERE email = $1',
      [TEST_ADMIN.email],
    );
    expect((await admin.delete(`/users/${id}/sessions`)).status).toBe(204);
    expect(await entriesAbout(id)).toEqual([entry('sessions_ended', own)]);
  });
});
