import { connect } from 'node:net';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Body, Controller, Get, Module, Param, Post, Query, Req } from '@nestjs/common';
import { Agent, type IncomingMessage, request as send, type Server } from 'node:http';
import type { Express, Request } from 'express';
import { Public } from '../../src/common/request/access.decorators';
import { startTestApp, type TestApp } from '../support';

@Controller('probe')
@Public()
class ProbeController {
  aborted = 0;

  @Get('items/:id')
  item(@Param('id') id: string, @Query() query: object): object {
    return { data: { id, query, keys: Object.keys(query) } };
  }

  @Get('fails')
  fails(): never {
    throw new Error('SELECT secret FROM vault', { cause: new Error('deeper') });
  }

  @Get('slow')
  async slow(@Req() request: Request): Promise<string> {
    request.res?.once('close', () => (this.aborted += 1));
    await sleep(150);
    return 'late';
  }

  @Post('echo')
  echo(@Body() body: unknown): object {
    return { data: body, polluted: ({} as { admin?: unknown }).admin ?? null };
  }
}

@Module({ controllers: [ProbeController] })
class ProbeModule {}

let test: TestApp;
let probe: ProbeController;

beforeAll(async () => {
  test = await startTestApp({ imports: [ProbeModule], logger: false, host: 'own' });
  probe = test.app.get(ProbeController);
});

afterAll(() => test.close());

interface Failure {
  errors: { message: string; extensions: { code: string } & Record<string, unknown> }[];
}

const get = (path: string, init?: RequestInit): Promise<Response> => fetch(test.url + path, init);

const post = (body: string, type = 'application/json'): Promise<Response> =>
  get('/probe/echo', { method: 'POST', body, headers: { 'content-type': type } });

const codeOf = async (response: Response): Promise<string | undefined> =>
  ((await response.json()) as Failure).errors[0]?.extensions.code;

describe('an answer', () => {
  it('is never cached, and does not name the server software', async () => {
    const response = await get('/server/ping');
    expect(await response.text()).toBe('pong');
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('x-powered-by')).toBeNull();
    expect(response.headers.get('etag')).toBeNull();
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('is sent completely to a client that claims to have it cached', async () => {
    // Not with fetch, which adds `Cache-Control: no-cache`.
    const request = send(`${test.url}/server/ping`, { headers: { 'if-none-match': '*' } }).end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.resume();
    expect(response.statusCode).toBe(200);
  });

  it('to HEAD has the headers of GET and no body', async () => {
    const response = await get('/server/ping', { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-length')).toBe('4');
    expect(await response.text()).toBe('');
  });
});

describe('a failure', () => {
  it('on an unknown route is 404 and names the path without its query', async () => {
    const response = await get('/nowhere?token=abc');
    expect(response.status).toBe(404);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const { errors } = (await response.json()) as Failure;
    expect(errors).toEqual([
      {
        message: "Route /nowhere doesn't exist.",
        extensions: { code: 'ROUTE_NOT_FOUND', path: '/nowhere' },
      },
    ]);
  });

  it.each(['POST', 'DELETE', 'OPTIONS', 'SEARCH'])(
    'of method %s is 405 with Allow',
    async (method) => {
      const response = await get('/probe/items/1', { method });
      expect(response.status).toBe(405);
      expect(response.headers.get('allow')).toBe('GET, HEAD');
      expect(await codeOf(response)).toBe('METHOD_NOT_ALLOWED');
    },
  );

  it('of the method is not changed by an override header', async () => {
    const headers = { 'x-http-method-override': 'GET' };
    expect((await get('/probe/items/1', { method: 'DELETE', headers })).status).toBe(405);
  });

  it('of a %-escape is 400', async () => {
    const response = await get('/probe/items/%ff');
    expect(response.status).toBe(400);
    expect(await codeOf(response)).toBe('INVALID_QUERY');
  });

  it.each(['{"a":', 'nonsense', '"text"', '{"a":1}}'])('of JSON is 400: %s', async (body) => {
    const response = await post(body);
    expect(response.status).toBe(400);
    expect(await codeOf(response)).toBe('INVALID_PAYLOAD');
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonp',
    'application/json; charset=latin1',
  ])('of the body type is 415: %s', async (type) => {
    const response = await post('{}', type);
    expect(response.status).toBe(415);
    expect(await codeOf(response)).toBe('UNSUPPORTED_MEDIA_TYPE');
  });

  it('of the body size is 413', async () => {
    const response = await post(JSON.stringify({ a: 'x'.repeat(1_100_000) }));
    expect(response.status).toBe(413);
    expect(await codeOf(response)).toBe('CONTENT_TOO_LARGE');
  });

  it('inside the service is 500 and does not show the cause', async () => {
    const response = await get('/probe/fails');
    expect(response.status).toBe(500);
    const extensions = {
      code: 'INTERNAL_SERVER_ERROR',
      request_id: response.headers.get('x-request-id'),
    };
    expect(await response.json()).toEqual({
      errors: [{ message: 'An unexpected error occurred.', extensions }],
    });
  });
});

describe('a query string', () => {
  const queryOf = async (text: string): Promise<unknown> => {
    const response = await get(`/probe/items/1?${text}`);
    return ((await response.json()) as { data: { query: unknown } }).data.query;
  };

  it('may have nested and repeated parameters', async () => {
    expect(await queryOf('filter[a][_in][]=1&filter[a][_in][]=2&fields=a&fields=b')).toEqual({
      filter: { a: { _in: ['1', '2'] } },
      fields: ['a', 'b'],
    });
  });

  it('keeps long lists as lists', async () => {
    const list = Array.from({ length: 300 }, (_, index) => `i[${index}]=${index}`).join('&');
    expect(await queryOf(list)).toMatchObject({ i: expect.arrayContaining(['299']) as unknown });
  });

  it('changes no prototype and never drops a key silently', async () => {
    expect((await get('/probe/items/1?a[%5f_proto__][admin]=1')).status).toBe(400);
    expect(await queryOf('constructor=1&toString=2')).toEqual({ constructor: '1', toString: '2' });
    expect(({} as { admin?: unknown }).admin).toBeUndefined();
  });

  it.each([
    ['deep', `a${'[b]'.repeat(40)}=1`],
    ['wide', Array.from({ length: 1_200 }, (_, index) => `p${index}=1`).join('&')],
  ])('that is too %s is refused', async (_, text) => {
    const response = await get(`/probe/items/1?${text}`);
    expect(response.status).toBe(400);
    expect(await codeOf(response)).toBe('INVALID_QUERY');
  });
});

describe('the server', () => {
  it('creates requests and responses with the prototypes that Express would set', async () => {
    const server = test.app.getHttpServer() as Server;
    const born = new Promise<object[]>((resolve) => {
      server.prependOnceListener('request', (request: object, response: object) =>
        resolve([
          Object.getPrototypeOf(request) as object,
          Object.getPrototypeOf(response) as object,
        ]),
      );
    });
    await get('/server/ping');
    const { request, response } = test.app.getHttpAdapter().getInstance() as Express;
    expect((await born)[0]).toBe(request);
    expect((await born)[1]).toBe(response);
  });

  it('answers several requests on one connection', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ports = new Set<number | undefined>();
    for (let index = 0; index < 3; index += 1) {
      const request = send(`${test.url}/server/ping`, { agent }).end();
      const [response] = (await once(request, 'response')) as [NodeJS.ReadableStream];
      ports.add(request.socket?.localPort);
      response.resume();
      await once(response, 'end');
    }
    agent.destroy();
    expect(ports.size).toBe(1);
  });

  it('answers pipelined requests in their order', async () => {
    const socket = connect(Number(new URL(test.url).port), '127.0.0.1');
    const head = 'HTTP/1.1\r\nHost: x\r\n';
    socket.write(
      `GET /probe/items/1 ${head}\r\nGET /probe/items/2 ${head}Connection: close\r\n\r\n`,
    );
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    await once(socket, 'close');
    const ids = [
      ...Buffer.concat(chunks)
        .toString()
        .matchAll(/"id":"(\d)"/g),
    ].map((m) => m[1]);
    expect(ids).toEqual(['1', '2']);
  });

  it('survives a client that disconnects', async () => {
    const gone = new AbortController();
    const pending = get('/probe/slow', { signal: gone.signal }).catch(() => undefined);
    await sleep(50);
    gone.abort();
    await pending;
    await sleep(200);
    expect(probe.aborted).toBe(1);
    expect((await get('/server/ping')).status).toBe(200);
  });

  it('survives a body that is cut off', async () => {
    const socket = connect(Number(new URL(test.url).port), '127.0.0.1');
    socket.write('POST /probe/echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n');
    socket.write('Content-Length: 100\r\n\r\n{"a":');
    await sleep(50);
    socket.destroy();
    await sleep(50);
    expect((await post('{"a":1}')).status).toBe(201);
  });

  it('never sets a prototype from __proto__ in a body', async () => {
    const response = await post('{"__proto__":{"admin":true},"constructor":{"prototype":{}}}');
    expect(await response.json()).toMatchObject({ polluted: null });
  });
});

describe('the shutdown', () => {
  it('waits for a running request, but not for idle connections', async () => {
    const leaving = await startTestApp({ imports: [ProbeModule], logger: false, host: 'own' });
    const agent = new Agent({ keepAlive: true });
    const request = send(`${leaving.url}/probe/slow`, { agent }).end();
    const answered = once(request, 'response') as Promise<[NodeJS.ReadableStream]>;
    await sleep(50);
    const began = Date.now();
    const closed = leaving.close();
    const [response] = await answered;
    response.resume();
    await closed;
    expect(Date.now() - began).toBeLessThan(5_000);
    agent.destroy();
  });
});

describe('other origins', () => {
  it('may call the service only if they are configured', async () => {
    const open = await startTestApp({ env: { CORS_ORIGIN: 'https://app.example.com' } });
    const allowed = async (origin: string): Promise<string | null> =>
      (await fetch(`${open.url}/server/ping`, { headers: { origin } })).headers.get(
        'access-control-allow-origin',
      );
    expect(await allowed('https://app.example.com')).toBe('https://app.example.com');
    expect(await allowed('https://evil.example.com')).toBeNull();
    expect(await allowed('null')).toBeNull();
    await open.close();
  });
});
