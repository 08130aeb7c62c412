import { seed, type World } from '../factories';
import { startTestApp } from '../support';

/** Requests that are refused before they reach a collection. */
let world: World;

beforeAll(async () => {
  world = await seed(await startTestApp());
});

afterAll(() => world.app.close());

const TOO_LARGE = `{"a":"${'x'.repeat(1_200_000)}"}`;

interface Failure {
  readonly extensions: { readonly code: string };
}

describe('a route', () => {
  it.each([
    ['/users', ['PUT'], 'DELETE, GET, HEAD, PATCH, POST, SEARCH'],
    ['/permissions', ['PUT', 'OPTIONS'], 'DELETE, GET, HEAD, PATCH, POST, SEARCH'],
    ['/permissions/1', ['POST', 'PUT', 'SEARCH'], 'DELETE, GET, HEAD, PATCH'],
    ['/settings', ['POST', 'DELETE', 'SEARCH', 'PUT'], 'GET, HEAD, PATCH'],
    ['/permissions/me/service_users', ['POST', 'PATCH', 'DELETE'], 'GET, HEAD'],
    ['/auth/login', ['GET', 'PATCH', 'DELETE'], 'POST'],
    ['/server/ping', ['POST', 'DELETE'], 'GET, HEAD'],
  ])('%s does not accept %j and names the allowed methods', async (path, methods, allowed) => {
    for (const method of methods) {
      for (const caller of ['admin', null]) {
        const reply = await world.as(caller).send(method, path);
        expect([method, reply.status, reply.codes]).toEqual([method, 405, ['METHOD_NOT_ALLOWED']]);
        expect(reply.headers.get('allow')).toBe(allowed);
      }
    }
  });

  it.each(['/permissions/1/2', '/settings/1', '/auth/nothing', '/server', '/users/me/nothing'])(
    '%s that does not exist is 404',
    async (path) => {
      for (const method of ['GET', 'POST', 'PATCH', 'DELETE']) {
        const reply = await world.as(null).send(method, path);
        expect([method, reply.status, reply.codes]).toEqual([method, 404, ['ROUTE_NOT_FOUND']]);
      }
    },
  );
});

describe('a body', () => {
  const send = (
    path: string,
    body: string | Buffer,
    type = 'application/json',
  ): Promise<Response> =>
    fetch(world.app.url + path, { method: 'POST', body, headers: { 'content-type': type } });
  const outcomeOf = async (response: Response): Promise<unknown> => {
    const { errors } = (await response.json()) as { errors: readonly Failure[] };
    return [response.status, errors.map(({ extensions }) => extensions.code)];
  };

  it.each([
    '{',
    '{"a":}',
    '[1,]',
    '{"a":1} x',
    "{'a':1}",
    '{"a":NaN}',
    '\u0000',
    '{"a":"\u0001"}',
    'true',
    '"x"',
    '7',
  ])(
    'that is not a JSON object or list is 400 before the caller is looked up: %j',
    async (body) => {
      expect(await outcomeOf(await send('/permissions', body))).toEqual([400, ['INVALID_PAYLOAD']]);
    },
  );

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'text/json',
    'application/json-patch+json',
    'application/json; charset=utf-7',
    '',
  ])('of the type %j is 415', async (type) => {
    expect(await outcomeOf(await send('/permissions', Buffer.from('{}'), type))).toEqual([
      415,
      ['UNSUPPORTED_MEDIA_TYPE'],
    ]);
  });

  it('that is too large is 413, on routes that exist and on others', async () => {
    for (const path of ['/permissions', '/auth/login', '/auth/nothing']) {
      expect(await outcomeOf(await send(path, TOO_LARGE))).toEqual([413, ['CONTENT_TOO_LARGE']]);
    }
  });
});
