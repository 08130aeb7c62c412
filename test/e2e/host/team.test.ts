import { once } from 'node:events';
import { Logger, VersioningType } from '@nestjs/common';
import { ClientProxyFactory, Transport } from '@nestjs/microservices';
import { firstValueFrom } from 'rxjs';
import { WebSocket } from 'ws';
import { Database } from '../../../src/database/database';
import { seed, type World } from '../../factories';
import { as, TEST_ADMIN, type TestApp } from '../../support';
import { type Host, startHost } from './start-host';

describe('in the application of a team', () => {
  let host: Host;
  let world: World;
  let warned: unknown[];

  beforeAll(async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    host = await startHost('ours');
    warned = warn.mock.calls.flat();
    warn.mockRestore();
    const { app, url } = host;
    const found = { app, url, database: app.get(Database) };
    world = await seed(found as unknown as TestApp, {});
  });

  afterAll(() => host.close());

  const send = (method: string, path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(host.url + path, { method, ...init });
  const json = (body: unknown): RequestInit => ({
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });

  describe('the part of the team', () => {
    it('keeps a data source of its own', async () => {
      const made = await send('POST', '/team/ledger', json({ title: 'paper' }));
      expect(made.status).toBe(201);
      expect(await (await send('GET', '/team/ledger')).json()).toEqual([{ id: 1, title: 'paper' }]);
    });

    it('reads bodies by its own limits and types', async () => {
      const form = { 'content-type': 'application/x-www-form-urlencoded' };
      const sent = await send('POST', '/team/echo', { body: 'a[b]=1', headers: form });
      expect(await sent.json()).toEqual({ body: { a: { b: '1' } } });
      const large = await send('POST', '/team/echo', json({ a: 'x'.repeat(150_000) }));
      expect(large.status).toBe(413);
      expect(await large.json()).toEqual({ team: 413 });
      const twice = await send('POST', '/team/echo', { ...json(0), body: '{"a":1,"a":2}' });
      expect(await twice.json()).toEqual({ body: { a: 2 } });
    });

    it('keeps its query parser, checksums, statuses and proxies', async () => {
      expect(await (await send('GET', '/team/query?a[b]=1')).json()).toEqual({ 'a[b]': '1' });
      const nothing = await send('GET', '/team/nothing');
      expect(nothing.status).toBe(200);
      const checked = await send('GET', '/team/query?a=1');
      expect(checked.headers.get('etag')).not.toBeNull();
      expect(checked.headers.get('x-powered-by')).toBe('Express');
      expect(checked.headers.get('cache-control')).toBeNull();
      const headers = { 'x-forwarded-for': '9.9.9.9', 'x-forwarded-proto': 'https' };
      const address = await send('GET', '/team/address', { headers });
      expect(await address.json()).toEqual({ ip: '127.0.0.1', protocol: 'http' });
    });

    it('keeps its pipes, filters and «not found»', async () => {
      const order = await send('POST', '/team/orders', json({ amount: 3 }));
      expect(await order.json()).toEqual({ amount: 3, isOrder: true });
      const wrong = await send('POST', '/team/orders', json({ amount: 'x' }));
      expect([wrong.status, await wrong.json()]).toEqual([400, { team: 400 }]);
      for (const [method, path, status] of [
        ['GET', '/team/teapot', 418],
        ['GET', '/nowhere', 404],
        ['PUT', '/team/ledger', 404],
      ] as const) {
        const answer = await send(method, path);
        expect([answer.status, await answer.json()]).toEqual([status, { team: status }]);
      }
    });

    it('keeps its GraphQL schema, without our types', async () => {
      const ask = (query: string, token?: string): Promise<unknown> =>
        as(host, token)
          .send('POST', '/team/graphql', { query })
          .then(({ body }) => body);
      expect(await ask('{ greeting { text } }')).toEqual({ data: { greeting: { text: 'hello' } } });
      const schema = await ask('{ __schema { queryType { fields { name } } } }');
      expect(schema).toEqual({
        data: { __schema: { queryType: { fields: [{ name: 'greeting' }, { name: 'secret' }] } } },
      });
      expect(await ask('{ secret { text } }')).toMatchObject({
        errors: [{ extensions: { code: 'FORBIDDEN' } }],
      });
      const token = await tokenOf(host);
      expect(await ask('{ secret { text } }', token)).toMatchObject({
        data: { secret: { text: expect.stringMatching(/^[0-9a-f-]{36}$/) as string } },
      });
    });

    it('receives messages', async () => {
      const client = ClientProxyFactory.create({
        transport: Transport.TCP,
        options: { host: '127.0.0.1', port: host.rpc },
      });
      expect(await firstValueFrom(client.send('double', 21))).toBe(42);
      await client.close();
    });

    it('receives socket messages', async () => {
      const socket = new WebSocket(`${host.url.replace('http', 'ws')}/team/live`);
      await once(socket, 'open');
      socket.send(JSON.stringify({ event: 'double', data: 21 }));
      const [message] = (await once(socket, 'message')) as [Buffer];
      expect(JSON.parse(message.toString())).toEqual({ event: 'doubled', data: 42 });
      socket.close();
      await once(socket, 'close');
    });

    it('is guarded if routes declare their access', async () => {
      expect((await send('GET', '/decorated/parcels')).status).toBe(403);
      const parcels = await world.as('admin').get('/decorated/parcels');
      expect(parcels.status).toBe(200);
      const headers = { 'x-forwarded-for': '9.9.9.9' };
      const open = await send('GET', '/decorated/open', { headers });
      // By our setting TRUST_PROXY.
      expect(await open.json()).toEqual({ user: null, ip: '9.9.9.9' });
    });

    it('is reported in the log if a route takes a caller but declares no access', async () => {
      expect((await send('GET', '/team/caller')).status).toBe(500);
      expect(warned.filter((word) => String(word).includes('Controller.'))).toEqual([
        'TeamController.caller takes the caller but declares no access, so it will fail: add @Public(), @SignedIn() or @RequirePermission(…).',
      ]);
    });
  });

  describe('our part', () => {
    it('answers as in a standalone application', async () => {
      const ping = await send('GET', '/server/ping');
      expect([ping.status, await ping.text()]).toEqual([200, 'pong']);
      expect(ping.headers.get('cache-control')).toBe('no-store');
      for (const name of ['etag', 'x-powered-by']) expect(ping.headers.get(name)).toBeNull();
      const made = await world.as('admin').post('/items/parcels', { title: 'a' });
      expect([made.status, made.data]).toEqual([200, { id: 1, title: 'a' }]);
      const list = await world.as('admin').get('/items/parcels?filter[title][_eq]=a');
      expect(list.body).toEqual({ data: [{ id: 1, title: 'a' }] });
      expect((await world.as('admin').delete('/items/parcels/1')).status).toBe(204);
    });

    it('refuses in our format, whatever pipes and filters the team has', async () => {
      const code = async (answer: Promise<Response>): Promise<unknown[]> => {
        const response = await answer;
        const { errors } = (await response.json()) as { errors: { extensions: object }[] };
        return [response.status, errors[0]?.extensions];
      };
      expect(
        await code(send('POST', '/auth/login', json({ email: 1, password: 'x' }))),
      ).toMatchObject([400, { code: 'INVALID_PAYLOAD', field: 'email' }]);
      const form = {
        body: 'a=1',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      };
      expect((await code(send('POST', '/auth/login', form)))[0]).toBe(415);
      const twice = { ...json(0), body: '{"a":1,"a":2}' };
      expect((await code(send('POST', '/auth/login', twice)))[0]).toBe(400);
      const large = json({ a: 'x'.repeat(600_000) });
      expect((await code(send('POST', '/auth/login', large)))[0]).toBe(413);
      expect(await code(send('GET', '/users/%ff'))).toMatchObject([400, { code: 'INVALID_QUERY' }]);
      expect(await code(send('PUT', '/auth/login'))).toMatchObject([
        405,
        { code: 'METHOD_NOT_ALLOWED' },
      ]);
      expect(await code(send('GET', '/users/a/b/c'))).toEqual([
        404,
        { code: 'ROUTE_NOT_FOUND', path: '/users/a/b/c' },
      ]);
      expect(await code(send('GET', '/items/nothing'))).toEqual([403, { code: 'FORBIDDEN' }]);
      expect((await send('POST', '/users/register', { ...json(0), body: '{' })).status).toBe(204);
      const deep = `/items/parcels?filter${'[b]'.repeat(30)}=1`;
      const { status, codes } = await world.as('admin').get(deep);
      expect([status, codes]).toEqual([400, ['INVALID_QUERY']]);
    });

    it('can be called from the origins that are configured', async () => {
      const origin = 'https://pages.example.com';
      const asked = await send('OPTIONS', '/items/parcels/1', {
        headers: { origin, 'access-control-request-method': 'PATCH' },
      });
      expect(asked.headers.get('access-control-allow-origin')).toBe(origin);
      const theirs = await send('GET', '/team/nothing', { headers: { origin } });
      expect(theirs.headers.get('access-control-allow-origin')).toBeNull();
    });

    it('has its own GraphQL schema, without types of the team', async () => {
      const query = '{ __schema { queryType { fields { name } } } parcels { id } }';
      const { body } = await world.as('admin').post('/graphql', { query });
      expect(JSON.stringify(body)).not.toContain('greeting');
      expect(body).toMatchObject({ data: { parcels: [] } });
    });
  });

  describe('a body of another type that a route accepts', () => {
    it('is read as it was sent', async () => {
      const raw = await send('POST', '/decorated/raw', json({ a: 1 }));
      expect(await raw.json()).toEqual({ bytes: '{"a":1}', isBuffer: true });
      const large = await send('POST', '/decorated/raw', json('x'.repeat(2_000)));
      expect(large.status).toBe(413);
    });

    it('may hold files', async () => {
      const form = new FormData();
      form.set('title', 'two');
      form.set('file', new Blob(['abc']), 'a.txt');
      const sent = await send('POST', '/decorated/files', { body: form });
      expect(await sent.json()).toEqual({ body: { title: 'two' }, files: [['a.txt', 3]] });
      form.set('file', new Blob(['x'.repeat(20_000)]), 'b.txt');
      expect((await send('POST', '/decorated/files', { body: form })).status).toBe(413);
    });

    it('is accepted with a cookie only from a trusted page', async () => {
      const cookie = await cookieOf(host);
      const post = (headers: Record<string, string>): Promise<Response> =>
        send('POST', '/decorated/form', {
          body: 'a=1&a=2&b=3',
          headers: { 'content-type': 'application/x-www-form-urlencoded', cookie, ...headers },
        });
      expect((await post({})).status).toBe(403);
      expect((await post({ origin: 'https://evil.example.com' })).status).toBe(403);
      const sent = await post({ origin: 'https://pages.example.com' });
      expect(await sent.json()).toMatchObject({ body: { a: ['1', '2'], b: '3' } });
    });
  });
});

async function tokenOf(host: Host): Promise<string> {
  const { data } = await as(host).post('/auth/login', TEST_ADMIN);
  return String(data['access_token']);
}

async function cookieOf(host: Host): Promise<string> {
  const { headers } = await as(host).post('/auth/login', { ...TEST_ADMIN, mode: 'session' });
  return headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
}

describe('under a prefix, in versions, with every route guarded', () => {
  let host: Host;

  beforeAll(async () => {
    host = await startHost('all', (app) => {
      app.setGlobalPrefix('api');
      app.enableVersioning({ type: VersioningType.URI, defaultVersion: '1' });
    });
  });

  afterAll(() => host.close());

  it('is where the application mounts it', async () => {
    const login = await as(host).post('/api/v1/auth/login', TEST_ADMIN);
    const admin = as(host, String(login.data['access_token']));
    expect((await admin.get('/api/v1/items/parcels')).body).toEqual({ data: [] });
    const { body } = await admin.post('/api/graphql', { query: '{ parcels { id } }' });
    expect(body).toEqual({ data: { parcels: [] } });
    expect((await admin.get('/api/v1/users/a/b/c')).codes).toEqual(['ROUTE_NOT_FOUND']);
    expect((await admin.send('PUT', '/api/v1/auth/login')).codes).toEqual(['METHOD_NOT_ALLOWED']);
    // As usual in Nest, Express answers outside the prefix.
    expect((await admin.get('/users')).text).toContain('Cannot GET /users');
    expect((await admin.get('/api/v1/nowhere')).body).toEqual({ team: 404 });
    const page = await (
      await fetch(`${host.url}/api/graphql`, { headers: { accept: 'text/html' } })
    ).text();
    const [, script = ''] = /src="\.\/(playground\/graphiql-[^"]+)"/.exec(page) ?? [];
    expect((await fetch(`${host.url}/api/${script}`)).status).toBe(200);
  });

  it('refuses routes that declare no access, in our format', async () => {
    const refused = await as(host).get('/api/v1/team/ledger');
    expect([refused.status, refused.codes]).toEqual([403, ['FORBIDDEN']]);
    expect((await as(host).get('/api/v1/decorated/open')).status).toBe(200);
    const { body } = await as(host).post('/team/graphql', { query: '{ greeting { text } }' });
    expect(body).toMatchObject({ errors: [{ extensions: { code: 'FORBIDDEN' } }] });
  });
});
