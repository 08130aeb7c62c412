import { Controller, Get, Module } from '@nestjs/common';
import type { Browser } from 'playwright-core';
import { Public } from '../../src/common/request/access.decorators';
import { createApp } from '../../src/create-app';
import { seed, type World } from '../factories';
import { makeLastingStorage, startTestApp, type TestApp, type TestAppOptions } from '../support';
import { describeInBrowser, launchBrowser, visit } from '../support/chromium';
import { as } from '../support/clients';
import { type Proxy, proxyBelow } from '../support/proxy';
import { settingsFor } from './host/start-host';

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

/** Only a standalone application serves our page at `/`. */
const start = (options: TestAppOptions = {}): Promise<TestApp> =>
  startTestApp({ ...options, host: 'own' });

const landing = (test: { url: string }, path = '/', headers: Record<string, string> = BROWSER) =>
  as(test).send('GET', path, undefined, headers);

const linksOf = (text: string): (string | undefined)[] =>
  [...text.matchAll(/<a href="([^"]+)"/g)].map(([, address]) => address);

describe('GET /server/info', () => {
  let world: World;
  const PROJECT = { project_name: 'Doorward', default_language: 'en-US' };
  const queryLimit = { default: 100, max: 10_000 };

  beforeAll(async () => {
    world = await seed(await startTestApp(), { users: { ann: {} } });
  });

  afterAll(() => world.app.close());

  it.each([
    [null, { project: PROJECT }],
    ['ann', { project: PROJECT, queryLimit }],
    ['admin', { project: PROJECT, queryLimit, version: '0.1.0' }],
  ])('shows %s what they may know', async (name, info) => {
    expect((await world.as(name).get('/server/info')).data).toEqual(info);
  });

  it('follows the settings, and refuses an invalid token', async () => {
    const renamed = { project_name: 'Mill', default_language: 'de' };
    expect((await world.as('admin').patch('/settings', renamed)).status).toBe(200);
    expect((await world.as(null).get('/server/info')).data).toEqual({ project: renamed });
    expect((await as(world.app, 'x').get('/server/info')).codes).toEqual(['INVALID_CREDENTIALS']);
  });
});

describe('GET /', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await start();
  });

  afterAll(() => test.close());

  it('shows browsers a page with links, whatever their cookies', async () => {
    const page = await landing(test, '/', { ...BROWSER, cookie: 'service_session_token=x' });
    expect([page.status, page.headers.get('vary')]).toEqual([200, 'Accept']);
    expect(page.headers.get('content-security-policy')).toContain("script-src 'none'");
    const links = linksOf(page.text);
    expect(links).toEqual(['./admin/login', './docs', './graphql/system', './graphql']);
    for (const link of links) {
      const { pathname } = new URL(String(link), `${test.url}/`);
      expect([link, (await landing(test, pathname)).status]).toEqual([link, 200]);
    }
  });

  it.each(['*/*', 'application/json', 'application/json, text/html;q=0.9', 'image/png'])(
    'answers other clients like /server/info: %s',
    async (accept) => {
      const reply = await landing(test, '/', { accept });
      expect(reply.headers.get('vary')).toBe('Accept');
      expect(reply.body).toEqual((await as(test).get('/server/info')).body);
    },
  );

  it('answers HEAD as GET, and no other method', async () => {
    const head = await as(test).send('HEAD', '/', undefined, BROWSER);
    expect([head.status, head.text]).toEqual([200, '']);
    expect((await as(test).post('/', {})).codes).toEqual(['METHOD_NOT_ALLOWED']);
  });

  it('does not link to the editor if that is disabled', async () => {
    const without = await start({ env: { GRAPHQL_PLAYGROUND: 'false' } });
    expect(linksOf((await landing(without)).text)).toEqual(['./admin/login', './docs']);
    await without.close();
  });

  it('leaves the path to a team that has a page there', async () => {
    @Controller()
    class HomeController {
      @Get()
      @Public()
      home(): string {
        return 'ours';
      }
    }
    @Module({ controllers: [HomeController] })
    class HomeModule {}
    const theirs = await start({ imports: [HomeModule] });
    expect((await landing(theirs)).text).toBe('ours');
    await theirs.close();
  });

  it.each(['api', 'my%20door'])('is at the prefix of the application: %s', async (prefix) => {
    const storage = await makeLastingStorage();
    const app = await createApp([], { settings: await settingsFor(storage) });
    app.setGlobalPrefix(prefix);
    await app.listen(0, '127.0.0.1');
    const url = await app.getUrl();
    for (const path of [`/${prefix}`, `/${prefix}/`]) {
      for (const link of linksOf((await landing({ url }, path)).text)) {
        const { pathname } = new URL(String(link), url + path);
        expect(pathname.startsWith(`/${prefix}/`)).toBe(true);
        expect([pathname, (await landing({ url }, pathname)).status]).toEqual([pathname, 200]);
      }
    }
    await app.close();
    await storage.drop();
  });
});

describeInBrowser('the page at /, in a browser', () => {
  let test: TestApp;
  let proxy: Proxy;
  let browser: Browser;

  beforeAll(async () => {
    test = await start();
    proxy = await proxyBelow('/door', test.url);
    browser = await launchBrowser();
  });

  afterAll(async () => {
    await browser.close();
    await proxy.close();
    await test.close();
  });

  it.each(['/', '/door/'])('links on from %s, within its policy', async (path) => {
    const { page, faults } = await visit(browser, [path === '/' ? test.url : proxy.url]);
    await page.goto(path);
    await page.getByRole('link', { name: 'REST' }).click();
    await page.locator('#operations-tag-auth').waitFor();
    await page.goto(path);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('E-mail').waitFor();
    await page.goto(path);
    await page.getByRole('link', { name: 'GraphQL: permissions' }).click();
    await page.getByRole('button', { name: 'Show Sign in' }).waitFor();
    expect(faults).toEqual([]);
  });
});
