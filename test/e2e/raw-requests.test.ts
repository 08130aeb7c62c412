import { once } from 'node:events';
import { as, rawSocket, sendRaw, startTestApp, TEST_ADMIN, type TestApp } from '../support';

/** Requests to the server itself and to paths without a route; in a host application, these are the host's. */
let test: TestApp;

beforeAll(async () => {
  test = await startTestApp({ host: 'own' });
});

afterAll(() => test.close());

const END = 'Connection: close\r\n\r\n';
const HOST = 'Host: x\r\n';
const CHUNKED = 'Transfer-Encoding: chunked';
const CREDENTIALS = { email: TEST_ADMIN.email, password: TEST_ADMIN.password };

/** Status, codes and headers of the only answer. */
function read(answer: string): { status: number; codes: string[]; head: string } {
  const [head = '', ...rest] = answer.split('\r\n\r\n');
  const { errors } = JSON.parse(rest.join('\r\n\r\n')) as {
    errors: { extensions: { code: string } }[];
  };
  return {
    status: Number(head.split(' ')[1]),
    codes: errors.map(({ extensions }) => extensions.code),
    head: head.toLowerCase(),
  };
}

describe('data that is not an HTTP request', () => {
  it.each<[string, string, number, string]>([
    ['nonsense', 'hello\r\n\r\n', 400, 'INVALID_PAYLOAD'],
    ['no version', `GET /nowhere\r\n${HOST}\r\n`, 404, 'ROUTE_NOT_FOUND'],
    ['an invalid version', `GET / HTTP/9.9\r\n${HOST}\r\n`, 400, 'INVALID_PAYLOAD'],
    ['an invalid method', `GRAB / HTTP/1.1\r\n${HOST}\r\n`, 400, 'INVALID_PAYLOAD'],
    ['a path with a blank', `GET /a b HTTP/1.1\r\n${HOST}\r\n`, 400, 'INVALID_PAYLOAD'],
    ['a header without a name', `GET / HTTP/1.1\r\n${HOST}: x\r\n\r\n`, 400, 'INVALID_PAYLOAD'],
    [
      'two lengths',
      `POST / HTTP/1.1\r\n${HOST}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`,
      400,
      'INVALID_PAYLOAD',
    ],
    ['no host', `GET /server/ping HTTP/1.1\r\n${END}`, 400, 'INVALID_PAYLOAD'],
    [
      'endless headers',
      `GET / HTTP/1.1\r\n${HOST}X: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'HEADERS_TOO_LARGE',
    ],
    [
      'an endless address',
      `GET /${'x'.repeat(20_000)} HTTP/1.1\r\n${HOST}\r\n`,
      431,
      'HEADERS_TOO_LARGE',
    ],
    [
      'an unknown expectation',
      `GET /server/ping HTTP/1.1\r\n${HOST}Expect: cake\r\n${END}`,
      417,
      'EXPECTATION_FAILED',
    ],
    ['a broken escape', `GET /users/%zz HTTP/1.1\r\n${HOST}${END}`, 400, 'INVALID_QUERY'],
    ['an invalid address', `GET http://[ HTTP/1.1\r\n${HOST}${END}`, 400, 'INVALID_PAYLOAD'],
    ['an invalid port', `GET http://a:b/ HTTP/1.1\r\n${HOST}${END}`, 404, 'ROUTE_NOT_FOUND'],
    ['two slashes', `GET //[ HTTP/1.1\r\n${HOST}${END}`, 404, 'ROUTE_NOT_FOUND'],
    ['an asterisk', `OPTIONS * HTTP/1.1\r\n${HOST}${END}`, 404, 'ROUTE_NOT_FOUND'],
    ['letters beyond ASCII', `GET /users?search=Ü HTTP/1.1\r\n${HOST}${END}`, 400, 'INVALID_QUERY'],
  ])('(%s) is answered in our shape', async (_, text, status, code) => {
    const answer = read(await sendRaw(test, text));
    expect([answer.status, answer.codes]).toEqual([status, [code]]);
    expect(answer.head).toContain('cache-control: no-store');
    expect(answer.head).toContain('x-content-type-options: nosniff');
    expect(answer.head).toContain('referrer-policy: no-referrer');
    expect(answer.head).toContain("content-security-policy: default-src 'none'");
    expect(answer.head).toMatch(/x-request-id: [\da-f-]{36}\r\n/);
    expect(answer.head).toContain('connection: close');
    expect(answer.head).toContain('content-type: application/json; charset=utf-8');
  });

  it('is refused after the answers to valid requests before it', async () => {
    const { socket, ended } = await rawSocket(test, `GET /server/ping HTTP/1.1\r\n${HOST}\r\n`);
    await once(socket, 'data');
    socket.write('nonsense\r\n\r\n');
    expect((await ended).match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
  });
});

describe('data behind a complete request', () => {
  const login = JSON.stringify(CREDENTIALS);
  const head = (length: string): string =>
    `POST /auth/login HTTP/1.1\r\n${HOST}Content-Type: application/json\r\n${length}\r\n\r\n`;
  const LOGIN = `${head(`Content-Length: ${login.length}`)}${login}`;
  const LONG = 'GET /users?limit=-1 HTTP/1.1\r\n';

  it.each<[string, string, string[]]>([
    ['a byte', `${LOGIN}x`, ['200']],
    ['an invalid request', `${LOGIN}nonsense\r\n\r\n`, ['200']],
    ['a byte behind the second', `${LOGIN}${LOGIN}x`, ['200', '200']],
    ['a request with a broken body', `${LOGIN}${head(CHUNKED)}nonsense\r\n`, ['200', '400']],
    ['a request with endless headers', `${LOGIN}${LONG}X: ${'x'.repeat(20_000)}`, ['200']],
  ])('(%s) leaves its answer as it is', async (_, text, statuses) => {
    const answer = await sendRaw(test, text);
    expect(answer.match(/(?<=HTTP\/1.1 )\d+/g)).toEqual(statuses);
    expect(answer.match(/connection: close/gi)).toHaveLength(1);
  });
});

it('100-continue is answered as the protocol requires', async () => {
  const answer = await sendRaw(
    test,
    `POST /auth/login HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nContent-Length: 2\r\nExpect: 100-Continue\r\n${END}{}`,
  );
  expect(answer.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 100', 'HTTP/1.1 400']);
});

it('HTTP/1.0 needs no host', async () => {
  expect(await sendRaw(test, 'GET /server/ping HTTP/1.0\r\n\r\n')).toContain('pong');
});

describe('a path without a route', () => {
  it.each(['/nowhere', '/userss', '/graphqlx'])('%s is 404, with any method', async (path) => {
    for (const method of ['GET', 'POST', 'PATCH', 'DELETE', 'OPTIONS']) {
      const body = method === 'GET' ? undefined : { query: '{ __typename }' };
      const reply = await as(test).send(method, path, body, { accept: 'text/html' });
      expect([method, reply.status, reply.codes]).toEqual([method, 404, ['ROUTE_NOT_FOUND']]);
    }
  });

  it('accepts no larger body than other routes', async () => {
    const reply = await as(test).post('/nowhere', { a: 'x'.repeat(1_200_000) });
    expect([reply.status, reply.codes]).toEqual([413, ['CONTENT_TOO_LARGE']]);
  });
});
