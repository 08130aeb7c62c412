import { as, type Reply, signIn, startTestApp, TEST_ADMIN, type TestApp } from '../support';

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp();
});

afterAll(() => test.close());

const login = (body: unknown): Promise<Reply> => as(test).post('/auth/login', body);

describe('signing in', () => {
  it('gives tokens, and the time for which the access token is valid', async () => {
    const reply = await login(TEST_ADMIN);
    expect(reply.status).toBe(200);
    expect(Object.keys(reply.data).sort()).toEqual(['access_token', 'expires', 'refresh_token']);
    expect(reply.data['expires']).toBe(15 * 60_000);
    const me = await as(test, String(reply.data['access_token'])).get('/users/me?fields=email');
    expect(me.data).toEqual({ email: TEST_ADMIN.email });
  });

  it('ignores the case of the address', async () => {
    expect((await login({ ...TEST_ADMIN, email: 'ADMIN@Example.COM' })).status).toBe(200);
  });

  it('accepts the body of the published client', async () => {
    expect((await login({ ...TEST_ADMIN, mode: 'json', otp: '123456' })).status).toBe(200);
  });

  it('records the time and the address', async () => {
    await as(test).send('POST', '/auth/login', TEST_ADMIN, { 'user-agent': 'x'.repeat(300) });
    const [session] = await test.database.query(
      'SELECT ip, device FROM service_sessions ORDER BY created_at DESC, id LIMIT 1',
    );
    expect(session).toEqual({ ip: '127.0.0.1', device: 'x'.repeat(255) });
    const [user] = await test.database.query(
      `SELECT last_access > now() - interval '1 minute' AS seen FROM service_users`,
    );
    expect(user).toEqual({ seen: true });
  });

  it('stores neither password nor token', async () => {
    const tokens = await signIn(test, TEST_ADMIN);
    const sessions = await test.database.query('SELECT * FROM service_sessions');
    const users = await test.database.query('SELECT * FROM service_users');
    const stored = JSON.stringify([sessions, users]);
    for (const secret of [tokens.refresh_token, tokens.access_token, TEST_ADMIN.password]) {
      expect(stored).not.toContain(secret);
      expect(stored).not.toContain(secret.split('.').at(-1));
    }
  });
});

describe('many who sign in at once', () => {
  const others = ['anna', 'ben', 'carl'].map((name) => ({
    email: `${name}@example.com`,
    password: `the-password-of-${name}`,
  }));

  beforeAll(async () => {
    const admin = as(test, (await signIn(test, TEST_ADMIN)).access_token);
    expect((await admin.post('/users', others)).status).toBe(200);
  });

  it('each get an answer, with their own token', async () => {
    const asked = Array.from({ length: 20 }, () => others).flat();
    const replies = await Promise.all(asked.map(login));
    for (const [index, { data }] of replies.entries()) {
      const me = await as(test, String(data['access_token'])).get('/users/me?fields=email');
      expect(me.data).toEqual({ email: asked[index]?.email });
    }
  });

  it('are refused if their password is wrong, even among right ones', async () => {
    const [anna, ben] = others;
    const wrong = { email: anna?.email, password: 'not-the-password' };
    const replies = await Promise.all([wrong, ben, wrong, ben].map(login));
    expect(replies.map(({ status }) => status)).toEqual([401, 200, 401, 200]);
  });
});

describe('a body that is not a valid sign-in', () => {
  const { email, password } = TEST_ADMIN;
  it.each<[string, unknown, string | undefined]>([
    ['a list', [TEST_ADMIN], undefined],
    ['a string', 'admin@example.com', undefined],
    ['no e-mail', { password }, 'email'],
    ['no password', { email }, 'password'],
    ['an e-mail that is a list', { email: [email], password }, 'email'],
    ['an e-mail that is an object', { email: { _neq: 'x' }, password }, 'email'],
    ['an e-mail that is null', { email: null, password }, 'email'],
    ['an empty e-mail', { email: '', password }, 'email'],
    ['an e-mail with U+0000', { email: 'a\0@example.com', password }, 'email'],
    ['half a surrogate pair', { email: '\ud800@example.com', password }, 'email'],
    ['a password that is a number', { email, password: 12_345_678 }, 'password'],
    ['an empty password', { email, password: '' }, 'password'],
    ['an otp that is a number', { email, password, otp: 123_456 }, 'otp'],
    ['an unknown mode', { email, password, mode: 'telepathy' }, 'mode'],
    ['an unknown key', { email, password, admin: true }, 'admin'],
    ['a key that every object has', { email, password, constructor: 1 }, 'constructor'],
  ])('%s: 400, naming the fault', async (_, body, field) => {
    const reply = await login(body);
    expect([reply.status, reply.codes]).toEqual([400, ['INVALID_PAYLOAD']]);
    const [error] = (reply.body as { errors: { extensions: { field?: string } }[] }).errors;
    expect(error?.extensions.field).toBe(field);
  });

  it.each([
    ['a number', 1, 'must be a string'],
    ['null', null, 'must be a string'],
    ['a list', ['\ud800'], 'must be a string'],
    ['no value', undefined, 'must be a string'],
    ['an empty text', '', 'must not be empty'],
    ['a text that cannot be stored', 'a\0', 'must not hold U+0000 or a lone surrogate'],
  ])('%s instead of a valid text is reported by its type first', async (_, sent, reason) => {
    const { text } = await login({ email: sent, password });
    expect(text).toContain(reason);
  });

  it('is answered with all faults at once', async () => {
    const reply = await login({ email: 1, extra: true });
    expect(reply.codes).toEqual(['INVALID_PAYLOAD', 'INVALID_PAYLOAD', 'INVALID_PAYLOAD']);
  });

  it('is not completed from the query string', async () => {
    const reply = await as(test).post(`/auth/login?email=${email}&password=${password}`, {});
    expect(reply.status).toBe(400);
  });
});

describe('a user who may not sign in', () => {
  const password = 'long-enough-for-anyone';

  it('gets the same answer, whatever the reason', async () => {
    const hash = await hashOf(TEST_ADMIN.password);
    const bodies = new Set<string>();
    for (const status of ['draft', 'invited', 'unverified', 'suspended', 'archived']) {
      await insertUser(`${status}@example.com`, hash, status);
      bodies.add(await refusal(`${status}@example.com`, TEST_ADMIN.password));
    }
    await insertUser('no-password@example.com', null, 'active');
    await test.database.query(
      `INSERT INTO service_users (email, password, provider) VALUES ('sso@example.com', $1, 'sso')`,
      [hash],
    );
    bodies.add(await refusal('no-password@example.com', ''.padEnd(8, 'x')));
    bodies.add(await refusal('sso@example.com', TEST_ADMIN.password));
    bodies.add(await refusal('nobody@example.com', password));
    bodies.add(await refusal(TEST_ADMIN.email, password));
    bodies.add(await refusal(TEST_ADMIN.email, `${TEST_ADMIN.password}x`.padEnd(100, 'x')));
    expect([...bodies]).toEqual([
      '401 {"errors":[{"message":"Invalid credentials.","extensions":{"code":"INVALID_CREDENTIALS"}}]}',
    ]);
  });

  it('is not accepted with a password that only begins like the right one', async () => {
    const longest = 'p'.repeat(72);
    await insertUser('longest@example.com', await hashOf(longest), 'active');
    expect((await login({ email: 'longest@example.com', password: longest })).status).toBe(200);
    const longer = await login({ email: 'longest@example.com', password: `${longest}x` });
    expect(longer.status).toBe(401);
  });

  it('gets no hint of the required one-time password unless the password is right', async () => {
    await insertUser('otp@example.com', await hashOf(password), 'active');
    await test.database.query(
      `UPDATE service_users SET tfa_secret = 'secret' WHERE email = 'otp@example.com'`,
    );
    const reply = await login({ email: 'otp@example.com', password });
    expect([reply.status, reply.codes]).toEqual([401, ['INVALID_OTP']]);
    expect(await refusal('otp@example.com', 'wrong-password')).toContain('INVALID_CREDENTIALS');
  });
});

describe('a password hashed at a lower cost', () => {
  it('is hashed again by signing in, and only by that', async () => {
    await test.close();
    test = await startTestApp({ env: { BCRYPT_COST: '6' } });
    await insertUser('old@example.com', await hashOf('an-old-password', 4), 'active');
    const wrong = await login({ email: 'old@example.com', password: 'not-the-password' });
    expect([wrong.status, await costOf('old@example.com')]).toEqual([401, '$2b$04$']);
    const password = 'an-old-password';
    await signIn(test, { email: 'old@example.com', password });
    expect(await costOf('old@example.com')).toBe('$2b$06$');
    await signIn(test, { email: 'old@example.com', password });
  });
});

async function hashOf(password: string, cost = 4): Promise<string> {
  const { hash } = await import('bcrypt');
  return hash(password, cost);
}

async function insertUser(email: string, password: string | null, status: string): Promise<void> {
  await test.database.query(
    'INSERT INTO service_users (email, password, status) VALUES ($1, $2, $3)',
    [email, password, status],
  );
}

async function refusal(email: string, password: string): Promise<string> {
  const reply = await login({ email, password });
  return `${reply.status} ${reply.text}`;
}

async function costOf(email: string): Promise<string | undefined> {
  const [row] = await test.database.query<{ password: string }>(
    'SELECT password FROM service_users WHERE email = $1',
    [email],
  );
  return row?.password.slice(0, 7);
}
