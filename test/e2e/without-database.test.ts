import { Logger } from '@nestjs/common';
import {
  Browser,
  as,
  recordStatements,
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

it('a registration is answered as ever; the fault is logged with the id, method and path of the request', async () => {
  const error = jest.spyOn(Logger.prototype, 'error').mockImplementation();
  await test.dataSource.query('UPDATE service_settings SET public_registration = true');
  await test.dataSource.destroy();
  const sent = { email: 'ann@example.com', password: 'three-green-kettles' };
  const headers = { 'x-request-id': 'registered-1' };
  expect((await as(test).send('POST', '/users/register', sent, headers)).status).toBe(204);
  const query =
    'mutation($email: String! $password: String!) { users_register(email: $email password: $password) }';
  const graphql = await as(test).send(
    'POST',
    '/graphql/system',
    { query, variables: sent },
    headers,
  );
  expect(graphql.data).toEqual({ users_register: true });
  const logged = error.mock.calls.map(([line]) => String(line));
  error.mockRestore();
  expect(logged.filter((line) => line.includes('is unavailable'))).toEqual([
    expect.stringMatching(/^POST \/users\/register \[registered-1\]: /),
    expect.stringMatching(/^POST \/graphql\/system \[registered-1\]: /),
  ]);
});

it('public routes that do not depend on the caller do not look up any user', async () => {
  const authenticate = jest.spyOn(test.app.get(Authenticator), 'authenticate');
  const recorded = recordStatements(test.database);
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
  recorded.stop();
});
