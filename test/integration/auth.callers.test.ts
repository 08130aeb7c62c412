import { AccessTokens } from '../../src/auth/access-tokens';
import { SessionSweeper } from '../../src/auth/sessions/session-sweeper';
import {
  as,
  Browser,
  recordStatements,
  type Reply,
  signIn,
  startTestApp,
  TEST_ADMIN,
  type TestApp,
} from '../support';

let test: TestApp;
let token: string;

beforeAll(async () => {
  test = await startTestApp();
  token = (await signIn(test, TEST_ADMIN)).access_token;
});

afterAll(() => test.close());

const withHeader = (authorization: string, path = '/permissions/me'): Promise<Reply> =>
  as(test).send('GET', path, undefined, { authorization });

describe('a bearer token', () => {
  it('may come with its scheme in any case', async () => {
    expect((await withHeader(`bearer ${token}`)).status).toBe(200);
  });

  it.each(['Bearer', 'Bearer ', 'Basic YWRtaW46YWRtaW4=', 'Bearer x', 'Bearer a.b.c', 'Negotiate'])(
    'that is malformed (%s) is refused where a token is required, and ignored elsewhere',
    async (header) => {
      const reply = await withHeader(header);
      expect([reply.status, reply.codes]).toEqual([401, ['INVALID_CREDENTIALS']]);
      expect((await withHeader(header, '/server/ping')).text).toBe('pong');
    },
  );

  it('is not accepted in the query string', async () => {
    expect((await as(test).get(`/permissions/me?access_token=${token}`)).status).toBe(403);
  });

  it('that is stale does not prevent signing in, refreshing and signing out', async () => {
    for (const stale of ['not.a.token', expired()]) {
      const nobody = as(test, stale);
      const signedIn = await nobody.post('/auth/login', TEST_ADMIN);
      expect(signedIn.status).toBe(200);
      const refreshed = await nobody.post('/auth/refresh', {
        refresh_token: signedIn.data['refresh_token'],
      });
      expect([refreshed.status, refreshed.body]).toMatchObject([
        200,
        { data: { expires: 900_000 } },
      ]);
      const out = await nobody.post('/auth/logout', {
        refresh_token: refreshed.data['refresh_token'],
      });
      expect(out.status).toBe(204);
    }
  });

  it('is not read from other schemes: with those the cookie counts', async () => {
    const browser = new Browser(test);
    await browser.send('POST', '/auth/login', { ...TEST_ADMIN, mode: 'session' });
    for (const authorization of ['Basic YTpi', '', 'Negotiate abc']) {
      const reply = await browser.send('GET', '/users/me', undefined, { authorization });
      expect(reply.status).toBe(200);
    }
    for (const authorization of ['Bearer', 'Bearer ', 'Bearer a b', 'bearer x']) {
      const reply = await browser.send('GET', '/users/me', undefined, { authorization });
      expect(reply.codes).toEqual(['INVALID_CREDENTIALS']);
    }
  });

  it('that has expired is reported as such', async () => {
    const reply = await as(test, expired()).get('/permissions/me');
    expect([reply.status, reply.codes]).toEqual([401, ['TOKEN_EXPIRED']]);
  });
});

describe('a session', () => {
  it('costs no statement once it is cached', async () => {
    const { access_token } = await signIn(test, TEST_ADMIN);
    await as(test, access_token).get('/permissions/me');
    const recorded = recordStatements(test.database);
    for (let i = 0; i < 3; i += 1) {
      expect((await as(test, access_token).get('/permissions/me')).status).toBe(200);
    }
    recorded.stop();
    expect([recorded.statements, recorded.transactions()]).toEqual([[], 0]);
  });

  it('that has expired is void, even if its access token has not expired, and is removed', async () => {
    const { access_token, refresh_token } = await signIn(test, TEST_ADMIN);
    const id = refresh_token.split('.')[0];
    await test.database.query(
      'UPDATE service_sessions SET expires_at = now() WHERE id = $1::uuid',
      [id],
    );
    const reply = await as(test, access_token).get('/users/me');
    expect([reply.status, reply.codes]).toEqual([401, ['INVALID_CREDENTIALS']]);
    await test.app.get(SessionSweeper).sweep();
    const rows = await test.database.query('SELECT id, expires_at FROM service_sessions');
    expect(rows.map((row) => row['id'])).not.toContain(id);
    expect(rows.length).toBeGreaterThan(0);
  });

  it('ignores the address that a client claims to have', async () => {
    await as(test).send('POST', '/auth/login', TEST_ADMIN, { 'x-forwarded-for': '203.0.113.9' });
    const rows = await test.database.query('SELECT DISTINCT ip FROM service_sessions');
    expect(rows).toEqual([{ ip: '127.0.0.1' }]);
  });
});

function expired(): string {
  const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() - 3_600_000);
  const made = test.app
    .get(AccessTokens)
    .issue('00000000-0000-4000-8000-000000000000', '00000000-0000-4000-8000-000000000001');
  clock.mockRestore();
  return made;
}
