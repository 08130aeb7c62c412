import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../../../src/common/package-folder';
import { as, signIn } from '../../support/clients';
import { startTestApp, TEST_ADMIN, type TestApp } from '../../support';

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

const filesOf = (): string[] =>
  readdirSync(join(packageFolder(), 'dist/playground')).filter((name) => name.endsWith('.js'));

describe('the GraphQL editor', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await startTestApp();
  });

  afterAll(() => test.close());

  it.each(['/graphql', '/graphql/', '/graphql/system', '/GRAPHQL/system/'])(
    'is served to browsers at %s, and loads nothing from another host',
    async (path) => {
      const page = await as(test).send('GET', path, undefined, BROWSER);
      expect([page.status, page.headers.get('vary')]).toEqual([200, 'Accept']);
      const policy = page.headers.get('content-security-policy');
      expect(policy).toMatch(
        /default-src 'none'; script-src 'self'; style-src 'self' 'nonce-\S+';/,
      );
      expect(policy).not.toContain('unsafe');
      const addresses = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(
        ([, address]) => new URL(String(address), test.url + path),
      );
      expect(addresses.length).toBeGreaterThan(3);
      for (const { href, pathname } of addresses) {
        expect(href.startsWith(`${test.url}/playground/`)).toBe(true);
        const file = await as(test).get(pathname);
        expect([href, file.status]).toEqual([href, 200]);
        expect(file.text.length).toBeGreaterThan(100);
      }
    },
  );

  it.each([
    '/graphql',
    '/graphql?from=/',
    '/graphql/',
    '/graphql/system',
    '/graphql/system?from=/?',
  ])('finds its files at %s also where a proxy serves all of this below a path', async (path) => {
    const page = await as(test).send('GET', path, undefined, BROWSER);
    const [, address = ''] = /src="([^"]+)"/.exec(page.text) ?? [];
    const { pathname } = new URL(address, `https://example.com/door${path}`);
    expect(pathname).toMatch(/^\/door\/playground\/[^/]+$/);
  });

  it('has a new nonce in every answer', async () => {
    const nonceOf = async (): Promise<string | undefined> => {
      const page = await as(test).send('GET', '/graphql', undefined, BROWSER);
      return /'nonce-(\S+)'/.exec(page.headers.get('content-security-policy') ?? '')?.[1];
    };
    const [one, other] = [await nonceOf(), await nonceOf()];
    expect(one).toHaveLength(24);
    expect(one).not.toBe(other);
  });

  it('answers HEAD as GET, without the page', async () => {
    const page = await as(test).send('HEAD', '/graphql/system', undefined, BROWSER);
    expect([page.status, page.text]).toEqual([200, '']);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  });

  it.each(['*/*', 'application/json', 'application/json, text/html;q=0.9', 'image/png'])(
    'is not sent to other clients: %s',
    async (accept) => {
      const reply = await as(test).send('GET', '/graphql/system', undefined, { accept });
      expect(reply.text).not.toContain('<html');
      expect(reply.headers.get('vary')).toBe('Accept');
    },
  );

  it.each(['package.json', '..%2Fpackage.json', 'index.html', 'licenses.md', '__proto__'])(
    'serves no other file: %s',
    async (name) => {
      expect((await as(test).get(`/playground/${name}`)).status).toBe(404);
    },
  );

  it('can query the schema, as every editor does first', async () => {
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

describe('in production', () => {
  it.each([
    ['is off', {}, 400],
    ['is on if it is set', { GRAPHQL_PLAYGROUND: 'true' }, 200],
  ])('%s', async (_is, more, status) => {
    const test = await startTestApp({ env: { NODE_ENV: 'production', ...more } });
    const page = await as(test).send('GET', '/graphql/system', undefined, BROWSER);
    expect(page.status).toBe(status);
    await test.close();
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
    expect([page.status, page.text.includes('<')]).toEqual([400, false]);
    for (const name of filesOf()) {
      expect((await as(test).get(`/playground/${name}`)).codes).toEqual(['ROUTE_NOT_FOUND']);
    }
  });

  it.each(['', '/items', '/system'])('shows no schema: /server/specs/graphql%s', async (path) => {
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
