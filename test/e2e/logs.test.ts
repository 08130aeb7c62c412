import { once } from 'node:events';
import { request as send } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Controller, Get, Module } from '@nestjs/common';
import { Public } from '../../src/common/request/access.decorators';
import type { HttpTimeouts } from '../../src/common/http/http-timeouts';
import { AppLogger } from '../../src/config/app-logger';
import {
  as,
  rawSocket,
  sendRaw,
  signIn,
  startTestApp,
  TEST_ADMIN,
  type TestApp,
  until,
} from '../support';

@Controller('probe')
@Public()
class ProbeController {
  @Get('items/:id')
  item(): string {
    return 'x'.repeat(10_000);
  }

  @Get('fails')
  fails(): never {
    throw new Error('broken');
  }

  @Get('slow')
  async slow(): Promise<string> {
    await sleep(200);
    return 'late';
  }
}

@Module({ controllers: [ProbeController] })
class ProbeModule {}

type Line = Readonly<Record<string, unknown>>;

const lines: Line[] = [];
let test: TestApp;
let admin: string;

async function start(
  env: Record<string, string> = {},
  timeouts: Partial<HttpTimeouts> = {},
): Promise<TestApp> {
  const app = await startTestApp({ imports: [ProbeModule], host: 'own', env, timeouts });
  const write = (line: string): void => void lines.push(JSON.parse(line) as Line);
  app.app.useLogger(new AppLogger({ level: 'log', format: 'json' }, { write }));
  return app;
}

beforeAll(async () => {
  test = await start();
  admin = (await signIn(test, TEST_ADMIN)).access_token;
});

beforeEach(() => void lines.splice(0));

afterAll(() => test.close());

/** The line of a request is written once its connection is done with it. */
async function lineOf(id: string): Promise<Line> {
  const isIt = (line: Line): boolean => line['context'] === 'Request' && line['request_id'] === id;
  await until(() => Promise.resolve(lines.some(isIt)));
  const [line, ...others] = lines.filter(isIt);
  expect(others).toEqual([]);
  return line ?? {};
}

const ids = (headers: Headers): string => headers.get('x-request-id') ?? '';

describe('the line of a request', () => {
  it('holds what the service knows about the request, and nothing that was sent', async () => {
    const reply = await as(test, admin).send(
      'GET',
      '/users?filter[email][_eq]=canary@example.com&limit=1',
      undefined,
      { 'user-agent': 'canary', 'x-comment': 'canary' },
    );
    const { data } = await as(test, admin).get('/users/me?fields=id');
    const line = await lineOf(ids(reply.headers));
    expect(line).toEqual({
      ...{ level: 'info', time: expect.any(String), context: 'Request' },
      message: expect.stringMatching(/^GET \/users 200 [\d.]+ ms$/),
      ...{ request_id: ids(reply.headers), method: 'GET', route: '/users', status: 200 },
      ...{ duration: expect.any(Number), bytes: expect.any(Number) },
      ...{ user: (data as { id: string }).id, address: '127.0.0.1' },
    });
    expect(Object.keys(line)).toHaveLength(12);
    expect(JSON.stringify(lines)).not.toContain('canary');
  });

  it('names the pattern of the route, whatever the path holds', async () => {
    const routes: [string, string][] = [
      ['/probe/items/canary', '/probe/items/:id'],
      ['/items/canary', '/items/:collection'],
      ['/canary', 'unmatched'],
      ['/graphql/system?query=canary', '/graphql/system'],
    ];
    for (const [path, route] of routes) {
      const { headers } = await as(test).get(path);
      expect(await lineOf(ids(headers))).toMatchObject({ route });
    }
    expect(JSON.stringify(lines)).not.toContain('canary');
  });

  it.each([
    ['/auth/login?a=canary', 'application/json', 400, '/auth/login'],
    ['/items/canary/', 'text/plain', 415, '/items/:collection'],
    ['/canary', 'application/json', 400, 'unmatched'],
  ])('names the route of a body that is refused: %s as %s', async (path, type, status, route) => {
    const init = { method: 'POST', headers: { 'content-type': type }, body: '{' };
    const { headers } = await fetch(test.url + path, init);
    expect(await lineOf(ids(headers))).toMatchObject({ status, route });
    expect(JSON.stringify(lines)).not.toContain('canary');
  });

  it('names no user if no one is signed in, or if the route needs no caller', async () => {
    for (const [path, token] of [
      ['/users', undefined],
      ['/users', 'a.b.c'],
      ['/server/ping', admin],
    ] as const) {
      const { headers } = await as(test, token).get(path);
      expect(await lineOf(ids(headers))).not.toHaveProperty('user');
    }
  });

  it('records how many bytes were sent', async () => {
    const { headers } = await as(test).get('/probe/items/1');
    const { bytes } = await lineOf(ids(headers));
    expect(Number(bytes)).toBeGreaterThan(10_000);
    expect(Number(bytes)).toBeLessThan(11_000);
  });

  it('records a client that disconnected, and its address', async () => {
    const headers = { 'x-request-id': 'left-1' };
    const request = send(`${test.url}/probe/slow`, { headers }).end();
    request.on('error', () => undefined);
    await once(request, 'socket');
    await sleep(100);
    request.destroy();
    expect(await lineOf('left-1')).toMatchObject({ status: 499, bytes: 0, address: '127.0.0.1' });
  });

  const upload = (id: string, length: number): string =>
    `POST /auth/login HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${id}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n{"email":`;

  it.each<[string, number, 'end' | 'resetAndDestroy']>([
    ['closed', 100, 'end'],
    ['reset', 100, 'resetAndDestroy'],
    ['large-closed', 1_000_000, 'end'],
    ['large-reset', 1_000_000, 'resetAndDestroy'],
  ])('records a client that disconnected during an upload: %s', async (id, length, leave) => {
    const { socket } = await rawSocket(test, upload(id, length));
    await sleep(100);
    socket[leave]();
    const { status, bytes } = await lineOf(id);
    // One that only closes its half of the connection can still read a refusal.
    expect([status, Number(bytes) > 0]).toEqual([499, leave === 'end']);
  });

  it('has the status that was sent for a late or broken body', async () => {
    const impatient = await start({}, { headers: 200, request: 400 });
    const late = await sendRaw(impatient, upload('late', 100));
    expect(late).toMatch(/^HTTP\/1.1 408 [^]*X-Request-Id: late\r\n/);
    expect(await lineOf('late')).toMatchObject({ status: 408, route: '/auth/login' });
    const chunked = upload('broken', 1).replace(/Content-Length.*/, 'Transfer-Encoding: chunked');
    expect(await sendRaw(impatient, chunked)).toMatch(
      /^HTTP\/1.1 400 [^]*X-Request-Id: broken\r\n/,
    );
    expect(await lineOf('broken')).toMatchObject({ status: 400, route: '/auth/login' });
    await impatient.close();
  });

  it('has the address of the proxy’s client if the proxy is trusted', async () => {
    const behind = await start({ TRUST_PROXY: '1' });
    const { headers } = await as(behind).send('GET', '/server/ping', undefined, {
      'x-forwarded-for': '203.0.113.7',
    });
    expect(await lineOf(ids(headers))).toMatchObject({ address: '203.0.113.7' });
    await behind.close();
  });

  it.each<Record<string, string>>([{ LOG_REQUESTS: 'false' }, { LOG_LEVEL: 'warn' }])(
    'is left out: %j',
    async (env) => {
      const quiet = await start(env);
      await as(quiet).get('/server/ping');
      await as(quiet).get('/probe/fails');
      await quiet.close();
      expect(lines.map(({ context }) => context)).toEqual(['Errors']);
    },
  );
});

describe('input that is not a request', () => {
  it('has a line of its own, without its content', async () => {
    const answer = await sendRaw(test, 'canary\r\n\r\n');
    const [, id] = /X-Request-Id: (\S+)/.exec(answer) ?? [];
    expect(id).toMatch(/^[\da-f-]{36}$/);
    await until(() => Promise.resolve(lines.length > 0));
    expect(lines).toEqual([
      {
        ...{ level: 'info', time: expect.any(String), context: 'Request' },
        ...{ request_id: id, message: 'unreadable 400', route: 'unreadable' },
        ...{ status: 400, address: '127.0.0.1' },
      },
    ]);
  });
});

describe('the id of a request', () => {
  const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

  it.each(['Root=1-67891233', 'a', 'x'.repeat(128)])('is taken from a proxy: %s', async (sent) => {
    const { headers } = await as(test).send('GET', '/server/ping', undefined, {
      'x-request-id': sent,
    });
    expect(ids(headers)).toBe(sent);
    expect(await lineOf(sent)).toMatchObject({ route: '/server/ping' });
  });

  it.each([
    ['x'.repeat(129)],
    ['a b'],
    ['a"b'],
    ['a\tb'],
    ['é'],
    ['a, b'],
    [''],
    ['${jndi:x}'],
    ['<b>'],
  ])('is generated if that is missing or malformed: %s', async (sent) => {
    const { headers } = await as(test).send('GET', '/server/ping', undefined, {
      'x-request-id': sent,
    });
    expect(ids(headers)).toMatch(UUID);
    await lineOf(ids(headers));
  });

  const ANSWERS: readonly [number, string, string, unknown][] = [
    [200, 'GET', '/server/ping', undefined],
    [200, 'GET', '/docs', undefined],
    [200, 'GET', '/admin', undefined],
    [200, 'HEAD', '/server/ping', undefined],
    [204, 'POST', '/register', {}],
    [400, 'GET', '/probe/items/%ff', undefined],
    [400, 'POST', '/auth/login', {}],
    [400, 'POST', '/graphql/system', { query: '{' }],
    [403, 'GET', '/users', undefined],
    [404, 'GET', '/nowhere', undefined],
    [405, 'DELETE', '/server/ping', undefined],
    [500, 'GET', '/probe/fails', undefined],
  ];

  it.each(ANSWERS)('is in every answer: %i to %s %s', async (status, method, path, body) => {
    const reply = await as(test).send(method, path, body);
    expect(reply.status).toBe(status);
    expect(ids(reply.headers)).toMatch(UUID);
    const again = await as(test).send(method, path, body);
    expect(ids(again.headers)).not.toBe(ids(reply.headers));
  });

  it('connects an answer without details with the error in the log', async () => {
    const { headers, body } = await as(test).get('/probe/fails');
    const id = ids(headers);
    expect(body).toMatchObject({ errors: [{ extensions: { request_id: id } }] });
    await lineOf(id);
    expect(lines).toMatchObject([
      {
        ...{ level: 'error', context: 'Errors', request_id: id },
        stack: expect.stringContaining('Error: broken'),
      },
      { level: 'info', context: 'Request', request_id: id, status: 500 },
    ]);
  });
});
