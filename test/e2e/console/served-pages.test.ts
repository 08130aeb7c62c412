import { as, type Reply, startTestApp, type TestApp } from '../../support';

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp();
});

afterAll(() => test.close());

const get = (path: string): Promise<Reply> => as(test).get(path);

/** The addresses from which a browser would load the files of the document at this path. */
async function assetsOf(path: string): Promise<string[]> {
  const { text } = await get(path);
  const found = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => String(address));
  return found.map((address) => new URL(address, test.url + path).pathname);
}

describe('a page', () => {
  it.each([
    ...['/admin', '/admin/', '/admin/login', '/admin/login/', '/admin/reset-password?token=x'],
    ...['/admin/accept-invite?token=x', '/admin/verify-email?status=invalid'],
    ...['/admin/users', '/admin/users?page=2', '/admin/users/new', '/admin/users/new/'],
  ])('is served at %s', async (path) => {
    const { status, headers, text } = await get(path);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(text).toMatch(/^<!doctype html>\s*<html lang="en">/);
  });

  it.each([
    '/admin/nothing',
    '/admin/login/more',
    '/admin/users/x',
    '/admin/new',
    '/admin/../admin/x',
    '/ADMIN/nothing/at/all',
  ])('is 404 at %s, and still a document, which explains that', async (path) => {
    const { status, text } = await get(path);
    expect(status).toBe(404);
    expect(text).toContain('<div id="root">');
  });

  it('has a strict policy, is not cached, and sends its address to no one', async () => {
    const { headers } = await get('/admin/reset-password');
    const policy = headers.get('content-security-policy')?.split('; ');
    expect(policy).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "img-src 'self' data:",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ]);
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('does not repeat its address', async () => {
    const { text } = await get('/admin/login/canary-5e1?token=canary-5e1');
    expect(text).not.toContain('canary-5e1');
  });

  it('is not made long by a long address', async () => {
    const reply = await get(`/admin${'/x'.repeat(4_000)}`);
    expect([reply.status, reply.codes]).toEqual([404, ['ROUTE_NOT_FOUND']]);
  });

  it('can only be read', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const reply = await as(test).send(
        method,
        '/admin/login',
        method === 'DELETE' ? undefined : {},
      );
      expect([method, reply.status, reply.headers.get('allow')]).toEqual([
        method,
        405,
        'GET, HEAD',
      ]);
    }
    const head = await as(test).send('HEAD', '/admin/login');
    expect([head.status, head.text]).toEqual([200, '']);
  });

  it('needs no caller and works with an expired session', async () => {
    const headers = { cookie: 'service_session_token=stale', authorization: 'Bearer stale' };
    expect((await as(test).send('GET', '/admin/login', undefined, headers)).status).toBe(200);
  });
});

describe('what a page loads', () => {
  it.each(['/admin', '/admin/', '/admin/login', '/admin/one/two/three', '/Admin/Login'])(
    'is found from %s, under any prefix',
    async (path) => {
      const assets = await assetsOf(path);
      expect(assets.length).toBeGreaterThanOrEqual(3);
      for (const asset of assets) {
        expect(asset).toMatch(/^\/admin\/assets\/[\w-]+\.(js|css|svg)$/i);
        expect((await get(asset)).status).toBe(200);
      }
      // A proxy that serves us under a path does not change the document.
      expect((await get(path)).text).not.toMatch(/(?:src|href)="(?:\/|https?:)/);
    },
  );

  it('is cached permanently, since a changed file has another name', async () => {
    for (const asset of await assetsOf('/admin/login')) {
      const { headers } = await get(asset);
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(headers.get('vary')).toBe('Accept-Encoding');
    }
  });

  it('is sent compressed to clients that accept that, in less than 93 kB', async () => {
    let packed = 0;
    for (const asset of (await assetsOf('/admin/login')).filter((name) => !name.endsWith('.svg'))) {
      const plain = await fetch(test.url + asset, { headers: { 'accept-encoding': 'identity' } });
      expect(plain.headers.get('content-encoding')).toBeNull();
      const zipped = await fetch(test.url + asset, { headers: { 'accept-encoding': 'gzip' } });
      expect(zipped.headers.get('content-encoding')).toBe('gzip');
      expect(await zipped.text()).toBe(await plain.text());
      packed += Number(zipped.headers.get('content-length'));
    }
    expect(packed).toBeLessThan(93_000);
  });

  it.each([
    'index.html',
    'nothing.js',
    '..%2findex.html',
    '..%2f..%2fsrc%2fmain.js',
    '__proto__',
    'constructor',
    '%00',
  ])('is only files of its own: %s', async (name) => {
    const reply = await get(`/admin/assets/${name}`);
    expect([reply.status, reply.headers.get('cache-control')]).toEqual([404, 'no-store']);
    expect(reply.text).not.toContain('<');
  });
});
