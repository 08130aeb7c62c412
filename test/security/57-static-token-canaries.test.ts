import {
  as,
  signIn,
  startTestApp,
  verboseLogger,
  TEST_ADMIN,
  type TestApp,
  TOKEN_TRANSPORTS,
} from '../support';

let test: TestApp;
const written: string[] = [];

beforeAll(async () => {
  for (const stream of [process.stdout, process.stderr]) {
    const note = (chunk: unknown): boolean => written.push(String(chunk)) > 0;
    jest.spyOn(stream, 'write').mockImplementation(note);
  }
  test = await startTestApp();
  // The most verbose logger.
  test.app.useLogger(verboseLogger());
});

afterAll(async () => {
  await test.close();
  jest.restoreAllMocks();
});

it('57: no static token is logged or stored, and each is answered only once', async () => {
  const me = as(test, (await signIn(test, TEST_ADMIN)).access_token);
  for (const transport of TOKEN_TRANSPORTS) {
    const { made } = await transport.create(me, {
      ...{ name: 'canary', current_password: TEST_ADMIN.password },
    });
    const token = String(made?.['token']);
    const robot = as(test, token);
    const answers = [
      await robot.get('/users/me'),
      await robot.get('/users?fields=*,policies.*&meta=*'),
      await robot.get('/activity?limit=-1'),
      await robot.post('/users/me/tokens', { name: 'child' }),
      await robot.post('/graphql/system', { query: '{ users_me { id } } '.repeat(2) }),
      await as(test, `${token}x`).get('/users/me'),
      await as(test).post('/auth/refresh', { refresh_token: token }),
      await as(test).get(`/users/me?access_token=${token}`),
      (await transport.list(me)).reply,
      await transport.endOne(me, made?.['id']),
      await robot.get('/users/me'),
    ];
    // The whole token, and its secret part.
    for (const canary of [token, token.slice(26)]) {
      expect(answers.map(({ text }) => text).join('\n')).not.toContain(canary);
      expect(written.join('')).not.toContain(canary);
      for (const table of ['service_static_tokens', 'service_activity', 'service_sessions']) {
        const rows = JSON.stringify(await test.database.query(`SELECT * FROM ${table}`));
        expect(rows).not.toContain(canary);
      }
    }
  }
});
