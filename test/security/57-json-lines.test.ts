import {
  as,
  HOST,
  rawSocket,
  routesOf,
  signIn,
  startTestApp,
  verboseLogger,
  TEST_ADMIN,
  type TestApp,
} from '../support';

let test: TestApp;
let written = '';

beforeAll(async () => {
  for (const stream of [process.stdout, process.stderr]) {
    jest.spyOn(stream, 'write').mockImplementation((chunk) => {
      written += String(chunk);
      return true;
    });
  }
  test = await startTestApp();
  test.app.useLogger(verboseLogger());
});

afterAll(async () => {
  await test.close();
  jest.restoreAllMocks();
});

let canaries = 0;
/** Stands for a token, a password or a code; each place of each request has its own. */
const canary = (): string => `canary-${(canaries += 1)}-yellow`;

const headers = (token: string): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  cookie: `service_session_token=${canary()}; service_refresh_token=${canary()}`,
  referer: `https://app.example.org/?token=${canary()}`,
  'user-agent': canary(),
  'x-comment': canary(),
  'x-api-key': canary(),
  'x-forwarded-for': canary(),
  [`x-${canary()}`]: canary(),
});

const body = (): object => ({
  ...{ email: `${canary()}@example.com`, password: canary(), otp: canary(), token: canary() },
  ...{ refresh_token: canary(), current_password: canary(), [canary()]: canary() },
  ...{ data: { token: canary(), [canary()]: [canary()] }, keys: [canary()] },
});

const query = (): string =>
  `token=${canary()}&access_token=${canary()}&filter[${canary()}][_eq]=${canary()}&${canary()}=1`;

/** Routes that would end the session or delete its user. */
const ENDS = /^DELETE |logout/;

describe('57: a log in JSON', () => {
  const lines = (): Record<string, unknown>[] =>
    written
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  it('holds nothing that any route receives in address, headers and body', async () => {
    const { access_token } = await signIn(test, TEST_ADMIN);
    const routes = routesOf(test).filter((route) => !ENDS.test(route));
    expect(routes.length).toBeGreaterThan(60);
    for (const route of routes) {
      const [method = '', pattern = ''] = route.split(' ');
      const path = pattern.replace(':collection', 'service_users').replace(/[:*]\w+/g, '1');
      const sent = ['GET', 'HEAD'].includes(method) ? undefined : body;
      for (const token of [canary(), access_token]) {
        for (const address of [path, `${path}?${query()}`]) {
          await as(test).send(method, address, sent?.(), headers(token));
        }
      }
    }
    expect(written).not.toContain(access_token);
  });

  it('holds nothing of GraphQL queries', async () => {
    const { access_token } = await signIn(test, TEST_ADMIN);
    for (const document of [
      `mutation M${'x'.repeat(5)} { auth_login(email: "a@example.com", password: "${canary()}") { expires } }`,
      `mutation { auth_password_reset(token: "${canary()}", password: "${canary()}") }`,
      `{ users(search: "${canary()}") { id ${canary().replaceAll('-', '_')} } }`,
      `query ${canary().replaceAll('-', '_')} { users_me { id } }`,
      `{ users(filter: {email: {_eq: "${canary()}"}}) { id`,
    ]) {
      const variables = { [canary()]: canary() };
      for (const token of [canary(), access_token]) {
        await as(test).send(
          'POST',
          '/graphql/system',
          { query: document, variables, operationName: canary() },
          headers(token),
        );
      }
    }
  });

  it('holds nothing of malformed requests', async () => {
    for (const text of [
      `GET /users?token=${canary()} HTTP/1.1\r\nHo st: ${canary()}\r\n\r\n`,
      `GET /users/%ff?token=${canary()} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      `${canary()}\r\n\r\n`,
      `POST /auth/login HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 40\r\n\r\n{"password":"${canary()}!!!!!!!!!!!!!!!!!!!!`,
    ]) {
      const { ended, socket } = await rawSocket(test, text);
      socket.end();
      await ended;
    }
  });

  it('holds nothing of the values of a statement that fails', async () => {
    const values = { parameters: [canary()], detail: `Key (email)=(${canary()}) exists` };
    const fault = Object.assign(new Error('no such relation'), values);
    const spy = jest.spyOn(test.database, 'query').mockRejectedValue(fault);
    const reply = await as(test).post('/auth/login', {
      email: 'a@example.com',
      password: canary(),
    });
    spy.mockRestore();
    expect(reply.status).toBeGreaterThanOrEqual(500);
    expect(written).toContain('no such relation');
  });

  afterAll(() => {
    const logged = lines();
    const requests = logged.filter(({ context }) => context === 'Request');
    // A team's own application logs its requests itself.
    expect(requests.length > 100).toBe(HOST === 'own');
    expect(canaries).toBeGreaterThan(1_000);
    expect(written.toLowerCase().match(/.{0,200}canary.{0,200}/g) ?? []).toEqual([]);
  });
});
