import {
  createDirectus,
  readGraphqlSdl,
  readOpenApiSpec,
  rest,
  serverHealth,
  serverInfo,
  serverPing,
  staticToken,
} from '@directus/sdk';
import { Agent, request as send, type Server } from 'node:http';
import { once } from 'node:events';
import { Injectable, Module, type OnModuleDestroy } from '@nestjs/common';
import {
  as,
  freePort,
  mailTo,
  queueMail,
  signIn,
  startMailApp,
  startMailServer,
  startTestApp,
  TEST_ADMIN,
  type TestApp,
  until,
  waitingMails,
} from '../support';

const onServer = (test: TestApp): string =>
  test.storage.kind === 'postgres' ? 'postgres' : 'embedded';

/** Resolves when so many requests have reached the server. */
function arrivals({ app }: TestApp, count: number): Promise<void> {
  return new Promise((resolve) => {
    let left = count;
    (app.getHttpServer() as Server).on('request', () => (left -= 1) === 0 && resolve());
  });
}

describe('/server/health', () => {
  let test: TestApp;
  let admin: string;

  beforeAll(async () => {
    test = await startTestApp();
    admin = (await signIn(test, TEST_ADMIN)).access_token;
  });

  afterAll(() => test.close());

  it('shows anyone no more than the status', async () => {
    const { status, body } = await as(test).get('/server/health');
    expect([status, body]).toEqual([200, { data: { status: 'ok' } }]);
  });

  it('shows no more to a user who is not an administrator', async () => {
    const account = { email: 'ann@example.com', password: 'three-green-kettles' };
    expect((await as(test, admin).post('/users', account)).status).toBe(200);
    const { access_token } = await signIn(test, account);
    expect((await as(test, access_token).get('/server/health')).data).toEqual({ status: 'ok' });
  });

  it('shows administrators what was checked', async () => {
    const { data } = await as(test, admin).get('/server/health');
    expect(data).toEqual({
      status: 'ok',
      checks: {
        database: {
          status: 'ok',
          kind: onServer(test),
          response_time: expect.any(Number) as number,
        },
        mail: {
          ...{ status: 'ok', transport: 'outbox', waiting: 0, failing: 0, oldest: null },
          ...{ given_up: 0, last_fault: null },
        },
      },
    });
  });

  it('refuses an invalid token', async () => {
    expect((await as(test, 'a.b.c').get('/server/health')).status).toBe(401);
  });

  it('is readable by the published client', async () => {
    const client = createDirectus(test.url).with(staticToken(admin)).with(rest());
    expect(await client.request(serverHealth())).toMatchObject({ status: 'ok' });
    expect(await client.request(serverPing())).toBe('pong');
    expect(await client.request(serverInfo())).toHaveProperty('project');
    expect(await client.request(readOpenApiSpec())).toHaveProperty('openapi', '3.1.1');
    expect(await client.request(readGraphqlSdl('system'))).toContain('type Query');
  });

  it('runs one check at a time, however many ask at once', async () => {
    const ask = test.database.query.bind(test.database);
    const allAsked = arrivals(test, 50);
    const query = jest.spyOn(test.database, 'query').mockImplementation(async (text, values) => {
      await allAsked;
      return ask(text, values);
    });
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => as(test).get('/server/health')),
    );
    const looks = query.mock.calls.filter(([text]) => text.includes('transaction_read_only'));
    query.mockRestore();
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    // One that was running, one for the requests that arrived meanwhile, and maybe one for the last ones.
    expect(looks.length).toBeGreaterThan(0);
    expect(looks.length).toBeLessThan(5);
  });
});

it('/server/health warns while mails are not sent, and when one was given up, with status 200', async () => {
  const port = await freePort();
  const test = await startMailApp({ SMTP_URL: `smtp://127.0.0.1:${port}` }, { logger: false });
  const admin = as(test, (await signIn(test, TEST_ADMIN)).access_token);
  await queueMail(test, mailTo('ann@example.com'));
  await until(async () => (await waitingMails(test))[0]?.last_fault?.includes('ESOCKET') === true);
  expect((await as(test).get('/server/health')).body).toEqual({ data: { status: 'warn' } });
  const mailIn = async (): Promise<unknown> => {
    const { data } = await admin.get('/server/health');
    return (data as { checks: { mail: unknown } }).checks.mail;
  };
  expect(await mailIn()).toMatchObject({
    ...{ status: 'warn', waiting: 1, failing: 1, given_up: 0 },
    last_fault: 'mail server: ESOCKET',
  });

  const server = await startMailServer(port);
  server.refuse = 550;
  await until(async () => (await waitingMails(test)).length === 0);
  expect(await mailIn()).toMatchObject({
    ...{ status: 'warn', waiting: 0, failing: 0, given_up: 1 },
    last_fault: 'mail server: EENVELOPE, answer 550',
  });
  await test.close();
  await server.close();
});

it('/server/health warns if Redis does not answer, with status 200', async () => {
  const REDIS_URL = `redis://127.0.0.1:${await freePort()}`;
  const test = await startTestApp({ env: { REDIS_URL }, logger: false });
  const admin = as(test, (await signIn(test, TEST_ADMIN)).access_token);
  const { status, data } = await admin.get('/server/health');
  expect([status, data]).toMatchObject([
    200,
    { status: 'warn', checks: { redis: { status: 'warn' } } },
  ]);
  await test.close();
});

const REDIS = process.env['TEST_REDIS_URL'];
if (REDIS !== undefined && REDIS !== '') {
  it('/server/health is ok if Redis answers', async () => {
    const test = await startTestApp({ env: { REDIS_URL: REDIS } });
    const admin = as(test, (await signIn(test, TEST_ADMIN)).access_token);
    expect((await admin.get('/server/health')).data).toMatchObject({
      ...{ status: 'ok', checks: { redis: { status: 'ok' } } },
    });
    await test.close();
  });
}

it('/server/health is 503 without a database', async () => {
  const test = await startTestApp({ logger: false });
  await test.dataSource.destroy();
  const reply = await as(test).get('/server/health');
  expect([reply.status, reply.codes]).toEqual([503, ['SERVICE_UNAVAILABLE']]);
  await test.close();
});

it('/server/health is 503 while the instance stops, and /server/ping is not', async () => {
  const test = await startTestApp({ timeouts: { idleGrace: 2_000 }, logger: false });
  const ask = async (path: string, agent: Agent): Promise<number | undefined> => {
    const request = send(test.url + path, { agent }).end();
    const [response] = (await once(request, 'response')) as [import('node:http').IncomingMessage];
    response.resume();
    await once(response, 'end');
    return response.statusCode;
  };
  const agents = [1, 2].map(() => new Agent({ keepAlive: true, maxSockets: 1 }));
  expect(await Promise.all(agents.map((agent) => ask('/server/ping', agent)))).toEqual([200, 200]);
  const closing = test.close();
  const paths = ['/server/health', '/server/ping'];
  const statuses = await Promise.all(agents.map((agent, index) => ask(paths[index] ?? '', agent)));
  expect(statuses).toEqual([503, 200]);
  await closing;
  for (const agent of agents) agent.destroy();
});

it('with SHUTDOWN_DELAY it is 503 for a while before the port is closed', async () => {
  const logger = { log: jest.fn(), warn: jest.fn(), error: jest.fn() };
  const test = await startTestApp({ env: { SHUTDOWN_DELAY: '500ms' }, logger });
  const ask = async (path: string): Promise<number> => (await fetch(test.url + path)).status;
  const closing = test.close();
  await until(async () => (await ask('/server/health')) === 503);
  expect(await ask('/items/service_settings')).toBe(403);
  await closing;
  await expect(ask('/server/health')).rejects.toThrow();
  // A requested stop is not an error.
  expect(logger.error.mock.calls).toEqual([]);
});

@Injectable()
class Connection implements OnModuleDestroy {
  open = true;

  onModuleDestroy(): void {
    this.open = false;
  }
}

@Module({ providers: [Connection] })
class ConnectedModule {}

it('with SHUTDOWN_DELAY, requests are still answered and mails sent during that time', async () => {
  const server = await startMailServer();
  const env = { SHUTDOWN_DELAY: '1s', SMTP_URL: `${server.url}?pool=true` };
  const test = await startTestApp({ ...{ imports: [ConnectedModule], host: 'own' }, env });
  await queueMail(test, mailTo('ann@example.com'));
  await server.received(1);
  const closing = test.close();
  await until(async () => (await as(test).get('/server/health')).status === 503);
  expect(test.app.get(Connection, { strict: false }).open).toBe(true);
  await queueMail(test, mailTo('bob@example.com'));
  await server.received(2);
  await closing;
  await server.close();
});
