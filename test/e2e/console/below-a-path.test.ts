import { type Proxy, proxyBelow } from '../../support/proxy';
import { describePages } from './describe-pages';
import { enter } from './people';

const PATH = '/somewhere/door';

describePages('the pages below a path of a proxy', (pages) => {
  let proxy: Proxy;

  beforeAll(async () => {
    proxy = await proxyBelow(PATH, pages.test.url);
  });

  afterAll(() => proxy.close());

  it('lead to sign-in and back', async () => {
    const { page, addresses } = await pages.visit({}, { url: proxy.url });
    await page.goto(`${PATH}/admin/users?sort=-email`);
    await enter(page);
    await page.getByText('1 user', { exact: true }).waitFor();
    expect(page.url()).toBe(`${proxy.url}${PATH}/admin/users?sort=-email`);
    for (const address of addresses) expect(address).toContain(`${proxy.url}${PATH}/`);
  });

  it('find their files, the service and one another', async () => {
    const { page, addresses } = await pages.visit({}, { url: proxy.url });
    await page.goto(`${PATH}/admin/nothing/here`);
    await page.getByRole('link', { name: 'Go to sign-in' }).click();
    await enter(page);
    await page.getByRole('heading', { name: 'You are signed in' }).waitFor();
    expect(page.url()).toBe(`${proxy.url}${PATH}/admin/login`);
    await page.goto(`${PATH}/admin/reset-password?token=x`);
    await page.getByRole('heading', { name: 'Choose a new password' }).waitFor();
    expect(page.url()).toBe(`${proxy.url}${PATH}/admin/reset-password`);
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
    expect(page.url()).toBe(`${proxy.url}${PATH}/admin/users/new`);
    for (const address of addresses) expect(address).toContain(`${proxy.url}${PATH}/`);
  });
});
