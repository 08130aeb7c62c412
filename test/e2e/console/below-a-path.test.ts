import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TEST_ADMIN } from '../../support';
import { describePages } from './describe-pages';

const PATH = '/somewhere/door';

/** What serves the service below a path of its own, as a proxy in front of several services does. */
function proxyTo(url: string): Server {
  return createServer((incoming, outgoing) => {
    const { method = 'GET', headers, url: asked = '' } = incoming;
    if (!asked.startsWith(`${PATH}/`)) return void outgoing.writeHead(404).end();
    const passed = request(url + asked.slice(PATH.length), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(passed);
  });
}

describePages('the pages below a path of a proxy', (pages) => {
  let proxy: Server;
  let url: string;

  beforeAll(async () => {
    proxy = proxyTo(pages.test.url).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  });

  afterAll(async () => {
    proxy.closeAllConnections();
    proxy.close();
    await once(proxy, 'close');
  });

  it('find their files, the service and one another', async () => {
    const { page, addresses } = await pages.visit({}, { url });
    await page.goto(`${PATH}/admin/nothing/here`);
    await page.getByRole('link', { name: 'Go to sign-in' }).click();
    await page.getByLabel('E-mail').fill(TEST_ADMIN.email);
    await page.getByLabel('Password', { exact: true }).fill(TEST_ADMIN.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'You are signed in' }).waitFor();
    expect(page.url()).toBe(`${url}${PATH}/admin/login`);
    await page.goto(`${PATH}/admin/reset-password?token=x`);
    await page.getByRole('heading', { name: 'Choose a new password' }).waitFor();
    expect(page.url()).toBe(`${url}${PATH}/admin/reset-password`);
    for (const address of addresses) expect(address).toContain(`${url}${PATH}/`);
  });
});
