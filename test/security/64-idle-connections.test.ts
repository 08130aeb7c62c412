import { fork, execSync } from 'node:child_process';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { join } from 'node:path';
import {
  as,
  memory,
  rawSocket,
  signIn,
  startTestApp,
  TEST_ADMIN,
  type TestApp,
  until,
} from '../support';
import type { HttpTimeouts } from '../../src/common/http/http-timeouts';

/** Bytes of memory that an idle connection may take; kernel buffers do not count, as they are outside the process. */
const EACH = 20_000;
/** The number of files that this process may open, minus those that it needs for packages and the database. */
const FILES = Number(execSync('ulimit -Hn').toString().replace('unlimited', 'Infinity')) - 500;
const MANY = Math.min(10_000, FILES);

const HEAD = 'HTTP/1.1\r\nHost: x\r\n';

const started: TestApp[] = [];
const start = async (timeouts: Partial<HttpTimeouts> = {}): Promise<TestApp> => {
  const app = await startTestApp({ timeouts, logger: false });
  started.push(app);
  return app;
};

afterEach(async () => {
  for (const app of started.splice(0)) await app.close();
});

const connections = (app: TestApp): Promise<number> =>
  new Promise((resolve) => {
    (app.app.getHttpServer() as Server).getConnections((_, count) => resolve(count));
  });

it(`64: ${MANY} idle connections cost little, do not block other clients, and are closed`, async () => {
  const app = await start({ headers: 30_000, keepAlive: 30_000 });
  const { access_token } = await signIn(app, TEST_ADMIN);
  const before = await memory();
  const clients = fork(join(__dirname, '../support/idle-clients.mjs'), [
    new URL(app.url).port,
    String(MANY),
  ]);
  let closed = 0;
  clients.on('message', (message: { closed?: number }) => (closed = message.closed ?? closed));
  await once(clients, 'message');
  expect([(await connections(app)) >= MANY, closed]).toEqual([true, 0]);
  const held = await memory();
  expect((held.kept - before.kept) * 1_000_000).toBeLessThan(MANY * EACH);
  expect((held.rss - before.rss) * 1_000_000).toBeLessThan(MANY * EACH);
  // Another client now.
  const { status } = await as(app, access_token).get('/users/me');
  expect(status).toBe(200);
  await until(() => closed === MANY);
  expect(await connections(app)).toBeLessThan(10);
  expect((await memory()).kept - before.kept).toBeLessThan(20);
  clients.kill();
});

describe('64: a client that closes its half of a connection', () => {
  let app: TestApp;
  beforeAll(async () => void (app = await startTestApp({ timeouts: {}, logger: false })));
  afterAll(() => app.close());

  it.each<[string, string, RegExp]>([
    ['before sending a request is disconnected', '', /^$/],
    ['within the headers gets an error', `GET /server/ping ${HEAD}`, /^HTTP\/1.1 400 /],
    [
      'within the body gets an error',
      `POST /auth/login ${HEAD}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"email":`,
      /^HTTP\/1.1 400 /,
    ],
    [
      'after its request gets the answer',
      `GET /server/ping ${HEAD}\r\n`,
      /^HTTP\/1.1 200 [^]*pong$/,
    ],
    [
      'after two requests gets both answers',
      `GET /server/ping ${HEAD}\r\n`.repeat(2),
      /pong[^]*pong$/,
    ],
  ])('%s', async (_, text, expected) => {
    const { socket, ended } = await rawSocket(app, text);
    socket.end();
    expect(await ended).toMatch(expected);
    await until(async () => (await connections(app)) === 0);
  });
});

it('64: a client that disappears silently is disconnected, during and after its answer', async () => {
  const app = await start({ headers: 500, request: 500, keepAlive: 500, slowReader: 500 });
  const silent = await Promise.all(
    [
      '',
      `GET /server/ping ${HEAD}`,
      `GET /server/ping ${HEAD}\r\n`,
      `POST /auth/login ${HEAD}Content-Type: application/json\r\nContent-Length: 9\r\n\r\n`,
    ].map((text) => rawSocket(app, text)),
  );
  for (const { socket } of silent) socket.pause();
  await until(async () => (await connections(app)) === 0);
  for (const { socket } of silent) socket.destroy();
});
