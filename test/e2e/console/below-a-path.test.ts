import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describePages } from './describe-pages';
import { enter } from './people';

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

  it('lead to sign-in and back', async () => {
    const { page, addresses } = await pages.visit({}, { url });
    await page.goto(`${PATH}/admin/users?sort=-email`);
    await enter(page);
    await page.getByText('1 user', { exact: true }).waitFor();
    expect(page.url()).toBe(`${url}${PATH}/admin/users?sort=-email`);
    for (const address of addresses) expect(address).toContain(`${url}${PATH}/`);
  });

  it('find their files, the service and one another', async () => {
    const { page, addresses } = await pages.visit({}, { url });
    await page.goto(`${PATH}/admin/nothing/here`);
    await page.getByRole('link', { name: 'Go to sign-in' }).click();
    await enter(page);
    await page.getByRole('heading', { name: 'You are signed in' }).waitFor();
    expect(page.url()).toBe(`${url}${PATH}/admin/login`);
    await page.goto(`${PATH}/admin/reset-password?token=x`);
    await page.getByRole('heading', { name: 'Choose a new password' }).waitFor();
    expect(page.url()).toBe(`${url}${PATH}/admin/reset-password`);
    await page.goto(`${PATH}/admin/accept-invite?token=x`);
    await page.getByRole('heading', { name: 'Accept the invitation' }).waitFor();
    await page.goto(`${PATH}/admin/verify-email?status=verified`);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: 'Users of this project' }).click();
    await page.getByText('1 user', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Create a user' }).click();
    await page.getByRole('button', { name: 'Create the user' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Create a user' }).waitFor();
    expect(page.url()).toBe(`${url}${PATH}/admin/users/new`);
    for (const address of addresses) expect(address).toContain(`${url}${PATH}/`);
  });
});
