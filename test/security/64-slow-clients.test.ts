import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Controller, Get, Header, Module } from '@nestjs/common';
import type { Server, ServerResponse } from 'node:http';
import { Public } from '../../src/common/request/access.decorators';
import { rawSocket, sendRaw, startTestApp, type TestApp, until } from '../support';
import type { HttpTimeouts } from '../../src/common/http/http-timeouts';

const MB = 1024 * 1024;
/** Much more than the kernels of both sides buffer for a connection. */
const LONG = 24 * MB;

@Controller('long')
@Public()
class LongController {
  @Get('text')
  @Header('Content-Type', 'text/plain')
  text(): string {
    return 'x'.repeat(LONG);
  }

  @Get('list')
  list(): object {
    return { data: ['x'.repeat(LONG)] };
  }
}

@Module({ controllers: [LongController] })
class LongModule {}

const started: TestApp[] = [];
const start = async (timeouts: Partial<HttpTimeouts>): Promise<TestApp> => {
  const app = await startTestApp({ imports: [LongModule], timeouts, logger: false });
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

/** A client that sends requests and reads no answer. */
async function ask(app: TestApp, path: string, atOnce = 1): Promise<Socket> {
  const { hostname, port } = new URL(app.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.pause();
  socket.on('error', () => undefined);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(atOnce));
  return socket;
}

describe('64: an answer that the client does not read', () => {
  it.each(['/long/text', '/long/list'])('is discarded with its connection: %s', async (path) => {
    const app = await start({ slowReader: 300 });
    const sockets = await Promise.all(Array.from({ length: 5 }, () => ask(app, path)));
    await until(async () => (await connections(app)) === 0);
    for (const socket of sockets) socket.destroy();
    expect((await fetch(`${app.url}/server/ping`)).status).toBe(200);
  });

  it('is kept for a client that reads slowly', async () => {
    const app = await start({ slowReader: 1_000 });
    const socket = await ask(app, '/long/text');
    let taken = 0;
    socket.on('data', (chunk: Buffer) => (taken += chunk.length));
    // Pauses again and again, but never for as long as the server waits.
    for (let pause = 0; pause < 15 && taken < LONG; pause += 1) {
      socket.pause();
      await sleep(100);
      socket.resume();
      await sleep(1);
    }
    await until(() => Promise.resolve(taken >= LONG || socket.destroyed));
    expect(taken).toBeGreaterThanOrEqual(LONG);
    socket.destroy();
  });

  it('is noticed even if the server waits for something else too', async () => {
    const app = await start({ slowReader: 100 });
    const { socket, ended } = await rawSocket(app, 'GET /server/ping HTTP/1.1\r\nHost: x\r\n\r\n');
    await sleep(400);
    socket.write('GET /server/ping HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect((await ended).match(/pong/g)).toHaveLength(2);
  });
});

describe('64: answers that no client reads', () => {
  it.each([1, 6])('are bounded in total, with %i requests on each connection', async (atOnce) => {
    const app = await start({ maxUnreadBytes: 3 * LONG });
    const server = app.app.getHttpServer() as Server;
    const held = new Set<Socket>();
    const answers = new Set<ServerResponse>();
    server.on('connection', (socket: Socket) => {
      held.add(socket);
      socket.once('close', () => held.delete(socket));
    });
    server.on('request', (_: object, answer: ServerResponse) => {
      answers.add(answer);
      answer.once('close', () => answers.delete(answer));
    });
    const sockets: Socket[] = [];
    for (let asked = 0; asked < 30; asked += atOnce) {
      sockets.push(await ask(app, '/long/text', atOnce));
    }
    const whole = await (await fetch(`${app.url}/long/text`)).text();
    expect(whole).toHaveLength(LONG);
    // No data is queued for closed connections.
    const queued = [...answers].filter(
      ({ socket, req }) => socket === null && held.has(req.socket),
    );
    const waiting = [...held, ...queued].reduce((sum, each) => sum + each.writableLength, 0);
    // A single connection may exceed the total.
    expect(waiting).toBeLessThanOrEqual((3 + atOnce) * LONG);
    for (const socket of sockets) socket.destroy();
  });
});

describe('64: a sender who never finishes', () => {
  const HEAD = 'POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

  it.each([
    ['the headers', HEAD],
    ['the body', `${HEAD}Content-Length: 100\r\n\r\n{"email":`],
  ])('of %s gets an error and is disconnected', async (_, text) => {
    const app = await start({ headers: 200, request: 400 });
    const answer = await sendRaw(app, text);
    expect(answer).toMatch(/^HTTP\/1.1 408 /);
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({
      errors: [{ extensions: { code: 'REQUEST_TIMEOUT' } }],
    });
  });
});
