import type { Page } from 'playwright-core';
import {
  as,
  freePort,
  OIDC_CLIENT,
  type OidcProvider,
  signIn,
  startOidcProvider,
  TEST_ADMIN,
  type TestAppOptions,
} from '../../support';
import { describePages } from './describe-pages';

let provider: OidcProvider;

async function withProvider(): Promise<TestAppOptions> {
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  provider = await startOidcProvider(`${url}/auth/login/acme/callback`);
  return {
    env: {
      ...{ PORT: port, PUBLIC_URL: url, AUTH_PROVIDERS: 'acme', AUTH_ACME_LABEL: 'Acme' },
      ...{ AUTH_ACME_ISSUER_URL: provider.issuer, AUTH_ACME_CLIENT_ID: OIDC_CLIENT.id },
      ...{ AUTH_ACME_CLIENT_SECRET: OIDC_CLIENT.secret },
    },
  };
}

describePages(
  'sign-in by a provider, from the page and back to it',
  (pages) => {
    beforeAll(async () => {
      const admin = as(pages.test, (await signIn(pages.test, TEST_ADMIN)).access_token);
      const ann = { provider: 'acme', external_identifier: 'ann', email: 'ann@example.com' };
      expect((await admin.post('/users', ann)).status).toBe(200);
    });
    afterAll(() => provider.close());

    async function signInAs(name: string, path = '/admin/login'): Promise<Page> {
      const { page } = await pages.visit({}, { others: [provider.issuer] });
      await page.goto(path);
      await page.getByRole('link', { name: 'Sign in with Acme' }).click();
      await page.getByLabel('Name').fill(name);
      await page.getByRole('button').click();
      await page.getByRole('button', { name: 'Go on' }).click();
      await page.waitForURL(`${pages.test.url}/**`);
      return page;
    }

    it('shows who is signed in', async () => {
      const page = await signInAs('ann');
      await page.getByRole('heading', { name: 'You are signed in' }).waitFor();
      await page.getByText('ann@example.com').waitFor();
      expect(page.url()).toBe(`${pages.test.url}/admin/login`);
    });

    it('leads back to the page that needed a session', async () => {
      const page = await signInAs('ann', '/admin/users?page=2&search=a+b');
      await page.getByRole('heading', { name: 'Users' }).waitFor();
      await page.getByText('ann@example.com').waitFor();
      expect(page.url()).toBe(`${pages.test.url}/admin/users?page=2&search=a+b`);
    });

    it('explains why no one is signed in', async () => {
      const page = await signInAs('eve');
      await page.getByRole('alert').getByText('The sign-in was not accepted').waitFor();
      expect(page.url()).toBe(`${pages.test.url}/admin/login?reason=INVALID_CREDENTIALS`);
    });
  },
  withProvider,
);
