import {
  Browser,
  as,
  hearStatements,
  signIn,
  startTestApp,
  TEST_ADMIN,
  type TestApp,
} from '../support';
import { Authenticator } from '../../src/common/request/authenticator';

let test: TestApp;

beforeEach(async () => {
  test = await startTestApp({ logger: false });
});

afterEach(() => test.close());

it('/server/ping answers every caller without a database', async () => {
  const { access_token } = await signIn(test, TEST_ADMIN);
  const browser = new Browser(test);
  await browser.send('POST', '/auth/login', { ...TEST_ADMIN, mode: 'session' });
  await test.dataSource.destroy();
  for (const client of [as(test), as(test, access_token), as(test, 'a.b.c'), browser]) {
    const reply = await client.send('GET', '/server/ping');
    expect([reply.status, reply.text]).toEqual([200, 'pong']);
  }
  expect((await as(test).get('/users')).status).toBe(503);
});

it('public routes that do not depend on the caller do not look up any user', async () => {
  const authenticate = jest.spyOn(test.app.get(Authenticator), 'authenticate');
  const heard = hearStatements(test.database);
  const { refresh_token } = await signIn(test, TEST_ADMIN);
  for (const [path, body] of [
    ['/auth/refresh', { refresh_token }],
    ['/auth/logout', { refresh_token }],
  ] as const) {
    expect((await as(test, 'a.b.c').post(path, body)).status).toBeLessThan(300);
  }
  const page = await as(test).send('GET', '/graphql/system', undefined, { accept: 'text/html' });
  const [, script = ''] = /src="\.\.(\/playground\/start-[^"]+)"/.exec(page.text) ?? [];
  expect((await as(test).get(script)).status).toBe(200);
  expect(authenticate).not.toHaveBeenCalled();
  heard.stop();
});
