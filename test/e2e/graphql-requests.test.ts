import { seed, type World } from '../factories';
import { type Reply, startTestApp } from '../support';

const PATH = '/graphql/system';
const GRAPHQL_TYPE = 'application/graphql-response+json';

let world: World;

beforeAll(async () => {
  world = await seed(await startTestApp());
});

afterAll(() => world.app.close());

const ask = (query: string, variables?: object, headers?: Record<string, string>): Promise<Reply> =>
  world.as('admin').send('POST', PATH, { query, variables }, headers);

const expectFault = (reply: Reply, status: number, code: string): void => {
  expect(reply.status).toBe(status);
  expect(new Set(reply.codes)).toEqual(new Set([code]));
};

describe('a document', () => {
  it.each<[string, string]>([
    ['subscribes', 'subscription { __typename }'],
    ['goes deeper than the parser can', `{ users(filter: {_and: ${'['.repeat(2_900)}`],
    ['is not a document', '{ users { id }'],
  ])('that %s is refused as a query', async (_, query) => {
    const reply = await ask(query);
    expectFault(reply, 400, 'INVALID_QUERY');
    expect(reply.text).not.toContain('call stack');
  });

  it.each([
    'mutation { auth_login(email: "a@b.c" "open-sesame-2") { expires } }',
    'mutation { auth_login(email: "a@b.c", password "open-sesame-2") { expires } }',
    'mutation { auth_login(email: "a@b.c", password: """open-sesame-2""" 5) { expires } } """open-sesame-2"""',
    'mutation { auth_login(otp 778899) { expires } }',
  ])('with an error at a value is refused without repeating the value: %s', async (query) => {
    const reply = await ask(query);
    expectFault(reply, 400, 'INVALID_QUERY');
    expect(reply.text).not.toMatch(/sesame|778899/);
  });
});

describe('of several operations', () => {
  const query = 'query one { users { id } } query two { users { email } }';
  const askFor = (operationName?: string): Promise<Reply> =>
    world.as('admin').send('POST', PATH, { query, operationName });

  it.each([undefined, 'three'])('the name %s is unknown, and refused', async (name) => {
    expectFault(await askFor(name), 400, 'INVALID_QUERY');
  });

  it('the one that is named runs', async () => {
    const [one, two] = [await askFor('one'), await askFor('two')];
    expect(
      [one, two].map(({ data }) => Object.keys((data as { users: object[] }).users[0] ?? {})),
    ).toEqual([['id'], ['email']]);
  });
});

describe('variables', () => {
  it('with more errors than are reported are refused as an error of the caller', async () => {
    const query = 'query ($sort: [String]) { users(sort: $sort) { id } }';
    const reply = await ask(query, { sort: Array(200).fill(1) });
    expect(reply.status).toBe(400);
    expect(new Set(reply.codes)).toEqual(new Set(['INVALID_PAYLOAD', 'INVALID_QUERY']));
  });
});

describe('too much', () => {
  const filtered = 'query ($filter: users_filter) { users(filter: $filter) { id } }';

  it.each<[string, object]>([
    ['values', { _or: Array(3_000).fill({ email: { _eq: 'a' } }) }],
    ['names', Object.fromEntries(Array.from({ length: 1_001 }, (_, at) => [`n${at}`, 1]))],
  ])('in variables, of %s, is refused before it is read', async (_, filter) => {
    const reply = await ask(filtered, { filter });
    expectFault(reply, 400, 'INVALID_PAYLOAD');
    expect(reply.text).toContain('the variables must');
  });

  it('of rows, by several lists, is refused if one alone would be answered', async () => {
    const one = await ask('{ users(limit: -1) { id } }');
    expect([one.status, one.codes]).toEqual([200, []]);
    const reply = await ask('{ users(limit: 9999) { id } roles(limit: 2) { id } }');
    expect(reply.codes).toEqual(['INVALID_QUERY']);
    expect(reply.body).toMatchObject({
      data: { roles: null },
      errors: [{ path: ['roles'], extensions: { field: 'limit' } }],
    });
  });

  it.each(['-2', '10001'])(
    'is not used up by a list that is refused itself: limit %s',
    async (limit) => {
      const reply = await ask(`{ users(limit: ${limit}) { id } roles(limit: 9999) { id } }`);
      expect(reply.body).toMatchObject({
        data: { users: null, roles: expect.any(Array) as unknown },
        errors: [{ path: ['users'], extensions: { code: 'INVALID_QUERY', field: 'limit' } }],
      });
      expect(reply.codes).toHaveLength(1);
      const later = await ask(
        '{ users(limit: 9999) { id } roles(limit: 2) { id } access(limit: 1) { id } }',
      );
      expect(later.body).toMatchObject({ errors: [{ path: ['roles'] }] });
      expect(later.codes).toHaveLength(1);
    },
  );

  it('in an answer is refused, and fewer fields or rows are answered', async () => {
    const { database } = world.app;
    await database.query(
      `INSERT INTO service_users (first_name) SELECT 'n' || n FROM generate_series(1, 8500) n`,
    );
    const list = (limit: number, fields: string): Promise<Reply> =>
      ask(`{ users(filter: {first_name: {_starts_with: "n"}}, limit: ${limit}) { ${fields} } }`);
    const reply = await list(8500, 'id email title status');
    expectFault(reply, 200, 'INVALID_QUERY');
    expect(reply.text).toContain('fewer items or fields');
    expect((await list(8500, 'id')).data['users']).toHaveLength(8500);
    expect((await list(5000, 'id email title status')).data['users']).toHaveLength(5000);
    await database.query(`DELETE FROM service_users WHERE first_name LIKE 'n%'`);
  });

  it('is reading the whole schema more than twice', async () => {
    const look = (name: string): string => `${name}: __schema { types { name } }`;
    expect((await ask(`{ ${look('a')} ${look('b')} }`)).status).toBe(200);
    expectFault(await ask(`{ ${look('a')} ${look('b')} ${look('c')} }`), 400, 'INVALID_QUERY');
  });
});

describe('a body', () => {
  const query = '{ __typename }';
  const persistedQuery = { version: 1, sha256Hash: 'a'.repeat(64) };
  const send = (body: object): Promise<Reply> => world.as('admin').post(PATH, body);

  it.each<object>([
    { query, variables: null, operationName: null, extensions: null },
    { query, extensions: { clientLibrary: { name: 'any' } } },
    { query, extensions: { persistedQuery } },
    { query, extensions: { persistedQuery: { version: 7 } } },
  ])('of what clients send is answered: %j', async (body) => {
    const { status, codes, data } = await send(body);
    expect([status, codes, data]).toEqual([200, [], { __typename: 'Query' }]);
  });

  it.each<[object, string | undefined, string]>([
    [{}, 'query', 'is missing'],
    [{ variables: {} }, 'query', 'is missing'],
    [{ query: '' }, 'query', 'is missing'],
    [{ query: null }, 'query', 'is missing'],
    [{ query: 7 }, 'query', 'must be a string'],
    [{ query: { kind: 'Document' } }, 'query', 'must be a string'],
    [{ query, variables: '{}' }, 'variables', 'must be an object'],
    [{ query, variables: [] }, 'variables', 'must be an object'],
    [{ query, extensions: 'x' }, 'extensions', 'must be an object'],
    [{ query, operationName: 7 }, 'operationName', 'must be a string'],
    [[{ query }], undefined, 'the body must be one request, not a list of several'],
    [[], undefined, 'the body must be one request, not a list of several'],
  ])('that is no request is refused with the reason: %j', async (body, field, reason) => {
    const reply = await send(body);
    expectFault(reply, 400, 'INVALID_PAYLOAD');
    const [{ extensions }] = (reply.body as { errors: [{ extensions: object }] }).errors;
    expect(extensions).toEqual({ code: 'INVALID_PAYLOAD', reason, ...(field && { field }) });
  });

  it.each([
    ['query={__typename}&variables=x', 'variables', 'must be an object in JSON'],
    ['query={__typename}&variables=[]', 'variables', 'must be an object in JSON'],
    ['query={__typename}&extensions=7', 'extensions', 'must be an object in JSON'],
    ['query={__typename}&query={__typename}', 'query', 'is given more than once'],
    ['variables={}', 'query', 'is missing'],
  ])('in the address likewise: %s', async (search, field, reason) => {
    const reply = await world.as('admin').get(`${PATH}?${search}`);
    expectFault(reply, 400, 'INVALID_PAYLOAD');
    expect(reply.body).toMatchObject({ errors: [{ extensions: { field, reason } }] });
  });

  it.each(['variable', 'id', 'documentId', '__proto__', 'constructor'])(
    'with the unknown member %s is refused, and names it',
    async (name) => {
      const reply = await send(
        Object.fromEntries([
          ['query', query],
          [name, {}],
        ]) as object,
      );
      expectFault(reply, 400, 'INVALID_PAYLOAD');
      expect(reply.text).toContain(`\\"${name}\\" does not belong here`);
    },
  );

  it('with the hash of a query instead of the query is refused in the words that clients look for', async () => {
    const reply = await send({ extensions: { persistedQuery } });
    expectFault(reply, 400, 'INVALID_PAYLOAD');
    expect(reply.body).toMatchObject({ errors: [{ message: 'PersistedQueryNotSupported' }] });
  });
});

describe('a request', () => {
  it.each(['text/html', 'application/xml;q=0.1', 'q=q', ''])(
    'is answered in JSON even if it accepts %j, since its work was done',
    async (accept) => {
      const reply = await ask('mutation { update_settings(data: {}) { id } }', undefined, {
        accept,
      });
      expect([reply.status, reply.codes]).toEqual([200, []]);
      expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
    },
  );

  it.each([
    [GRAPHQL_TYPE, GRAPHQL_TYPE],
    [`${GRAPHQL_TYPE}, application/json;q=0.9`, GRAPHQL_TYPE],
    ['application/json;q=0.9, Application/GraphQL-Response+JSON', GRAPHQL_TYPE],
    ['application/json, application/graphql-response+json', 'application/json'],
    ['application/json, application/graphql-response+json;q=0', 'application/json'],
    ['*/*', 'application/json'],
  ])('that accepts %j is answered as %s, executed or not', async (accept, type) => {
    const replies = [
      await ask('{ settings { id } }', undefined, { accept }),
      await ask('{ settings { nothing } }', undefined, { accept }),
      await world.as('admin').send('GET', `${PATH}?query={settings{id}}`, undefined, { accept }),
    ];
    const types = replies.map(({ headers }) => headers.get('content-type'));
    expect(types).toEqual(replies.map(() => `${type}; charset=utf-8`));
    expect(replies.map(({ status }) => status)).toEqual([200, 400, 200]);
    expect(replies.map(({ text }) => Object.keys(JSON.parse(text) as object))).toEqual([
      ...[['data'], ['errors'], ['data']],
    ]);
  });

  it.each(['PUT', 'DELETE', 'PATCH'])('by %s is refused as a wrong method', async (method) => {
    const reply = await world.as('admin').send(method, PATH, {});
    expectFault(reply, 405, 'METHOD_NOT_ALLOWED');
    expect(reply.headers.get('allow')).toBe('GET, HEAD, POST');
    expect(reply.text).toContain('This route takes GET, HEAD, POST.');
  });

  it('by GET with a body of another type is refused for its type', async () => {
    const headers = { 'content-type': 'text/plain', 'apollo-require-preflight': 'yes' };
    const reply = await world
      .as('admin')
      .send('GET', `${PATH}?query={users{id}}`, undefined, headers);
    expectFault(reply, 415, 'UNSUPPORTED_MEDIA_TYPE');
  });
});
