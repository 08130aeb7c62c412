import { as, signIn, startTestApp, TEST_ADMIN, type TestApp } from '../support';

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp();
});

afterAll(() => test.close());

const sessions = async (): Promise<number> => {
  const [row] = await test.database.query<{ count: number }>(
    'SELECT count(*)::int4 AS count FROM service_sessions',
  );
  return row?.count ?? 0;
};

describe('31: after signing out', () => {
  it('the access token is void with the next request, and so is the refresh token', async () => {
    const tokens = await signIn(test, TEST_ADMIN);
    const me = as(test, tokens.access_token);
    expect((await me.get('/users/me')).status).toBe(200);
    const out = await as(test).post('/auth/logout', { refresh_token: tokens.refresh_token });
    expect([out.status, out.text]).toEqual([204, '']);
    const after = await me.get('/users/me');
    expect([after.status, after.codes]).toEqual([401, ['INVALID_CREDENTIALS']]);
    const refreshed = await as(test).post('/auth/refresh', {
      refresh_token: tokens.refresh_token,
    });
    expect([refreshed.status, refreshed.codes]).toEqual([401, ['INVALID_CREDENTIALS']]);
  });

  it('every access token of the session is void, also one that was never used', async () => {
    const first = await signIn(test, TEST_ADMIN);
    const { data } = await as(test).post('/auth/refresh', { refresh_token: first.refresh_token });
    await as(test).post('/auth/logout', { refresh_token: data['refresh_token'] });
    for (const token of [first.access_token, String(data['access_token'])]) {
      expect((await as(test, token).get('/users/me')).status).toBe(401);
    }
  });

  it('other sessions of the same user remain', async () => {
    const [one, other] = [await signIn(test, TEST_ADMIN), await signIn(test, TEST_ADMIN)];
    await as(test).post('/auth/logout', { refresh_token: one.refresh_token });
    expect((await as(test, other.access_token).get('/users/me')).status).toBe(200);
  });

  it('signing out again is not an error, nor is a token that was never issued, which ends nothing', async () => {
    const { refresh_token } = await signIn(test, TEST_ADMIN);
    const before = await sessions();
    const forged = `${refresh_token.slice(0, -1)}${refresh_token.endsWith('A') ? 'Q' : 'A'}`;
    for (const token of [forged, 'nonsense', `${refresh_token}.`]) {
      const reply = await as(test).post('/auth/logout', { refresh_token: token });
      expect([reply.status, reply.codes]).toEqual([204, []]);
    }
    expect(await sessions()).toBe(before);
    expect((await as(test).post('/auth/logout', { refresh_token })).status).toBe(204);
    expect((await as(test).post('/auth/logout', { refresh_token })).status).toBe(204);
    expect(await sessions()).toBe(before - 1);
  });

  it('no one can sign out without naming a session', async () => {
    const { access_token } = await signIn(test, TEST_ADMIN);
    const reply = await as(test, access_token).post('/auth/logout', {});
    expect([reply.status, reply.codes]).toEqual([400, ['INVALID_PAYLOAD']]);
    expect(reply.text).toContain('refresh_token');
    expect((await as(test, access_token).get('/users/me')).status).toBe(200);
  });
});
