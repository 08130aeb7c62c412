import { as, signIn } from '../support/clients';
import { startTestApp, TEST_ADMIN, type TestApp } from '../support';

const BROWSER = { accept: 'text/html' };

describe('the GraphQL editor', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await startTestApp();
  });

  afterAll(() => test.close());

  it('is what a browser gets, and loads nothing from another host', async () => {
    const page = await as(test).send('GET', '/graphql/system', undefined, BROWSER);
    expect(page.status).toBe(200);
    const addresses = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(
      ([, address]) => address,
    );
    expect(addresses.length).toBeGreaterThan(3);
    for (const address of addresses) {
      expect(address).toMatch(/^\/playground\//);
      const file = await as(test).get(String(address));
      expect([address, file.status]).toEqual([address, 200]);
      expect(file.text.length).toBeGreaterThan(100);
    }
  });

  it.each(['package.json', '..%2Fpackage.json', 'start.mjs', '__proto__'])(
    'serves no other file: %s',
    async (name) => {
      expect((await as(test).get(`/playground/${name}`)).status).toBe(404);
    },
  );

  it('can ask for the schema, as every editor does first', async () => {
    const ofType = (depth: number): string =>
      depth === 0 ? '' : `ofType { kind name ${ofType(depth - 1)} }`;
    const type = `kind name ${ofType(9)}`;
    const query = `{ __schema { types { name fields { name args { type { ${type} } } type { ${type} } } } } }`;
    const { access_token } = await signIn(test, TEST_ADMIN);
    const reply = await as(test, access_token).post('/graphql/system', { query });
    expect(reply.codes).toEqual([]);
    expect(reply.text).toContain('"permissions_by_id"');
  });
});

describe('without an editor and without introspection', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await startTestApp({
      env: { GRAPHQL_PLAYGROUND: 'false', GRAPHQL_INTROSPECTION: 'false' },
    });
  });

  afterAll(() => test.close());

  it('has no page and none of its files', async () => {
    const page = await as(test).send('GET', '/graphql/system', undefined, BROWSER);
    expect(page.text).not.toContain('playground');
    expect((await as(test).get('/playground/start.js')).status).toBe(404);
  });

  it.each(['', '/items', '/system'])('tells no schema: /server/specs/graphql%s', async (path) => {
    expect((await as(test).get(`/server/specs/graphql${path}`)).codes).toEqual(['ROUTE_NOT_FOUND']);
  });

  it.each([
    ['{ __schema { types { name } } }', 'permissions_by_id'],
    ['{ permissionz { id } }', 'permissions'],
    ['{ permissions { idd } }', '"id"'],
  ])('tells no names: %s', async (query, secret) => {
    const reply = await as(test).post('/graphql/system', { query });
    expect(reply.status).toBe(400);
    expect(
      reply.text.replaceAll('permissionz', '').replaceAll('\\"permissions\\"', ''),
    ).not.toContain(secret);
  });
});
