import type { Page } from 'playwright-core';
import {
  as,
  freePort,
  type MailServer,
  signIn,
  startMailServer,
  TEST_ADMIN,
  type TestAppOptions,
} from '../../support';
import { describePages } from './describe-pages';

const ANN = { email: 'ann@example.com', password: 'three-green-kettles' };
const NEXT = 'four-yellow-teapots';

let mails: MailServer;

/** A service that sends mails by SMTP and runs at the address in its links. */
async function withMail(): Promise<TestAppOptions> {
  mails = await startMailServer();
  const port = String(await freePort());
  return {
    env: {
      ...{ PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}` },
      ...{ SMTP_URL: mails.url, MAIL_FROM: 'door@example.com' },
    },
  };
}

const headingIs = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor();

async function enter(page: Page, { email, password }: typeof ANN): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

async function choose(page: Page, password: string): Promise<void> {
  for (const label of ['New password', 'New password again']) {
    await page.getByLabel(label, { exact: true }).fill(password);
  }
  await page.getByRole('button', { name: 'Change the password' }).click();
}

async function askForLink(page: Page, email: string): Promise<void> {
  await page.goto('/admin/login');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('button', { name: 'Send the link' }).click();
  await headingIs(page, 'Look into your mailbox');
}

/** The link in the text of the only mail. */
async function linkMailed(): Promise<string> {
  const [mail, ...others] = await mails.received(1);
  expect(others).toEqual([]);
  expect(mail?.recipients).toEqual([ANN.email]);
  const [link = ''] =
    /http:\S+\/admin\/reset-password\?token=[\w-]+/.exec(mail?.mail.text ?? '') ?? [];
  return link;
}

describePages(
  'a forgotten password',
  (pages) => {
    beforeAll(async () => {
      const admin = as(pages.test, (await signIn(pages.test, TEST_ADMIN)).access_token);
      expect((await admin.post('/users', ANN)).status).toBe(200);
    });
    afterAll(() => mails.close());

    it('is replaced: request, mail, page, new password, sign-in', async () => {
      const { page: office } = await pages.visit();
      await office.goto('/admin/login');
      await enter(office, ANN);
      await headingIs(office, 'You are signed in');

      const { page: home } = await pages.visit();
      await askForLink(home, 'nobody@example.com');
      await askForLink(home, 'ANN@example.com');
      const link = await linkMailed();
      expect(link).toContain(`${pages.test.url}/admin/`);

      await home.goto(link);
      await choose(home, 'short');
      await home.getByText(/^The password must have at least 8 characters/).waitFor();
      await choose(home, NEXT);
      await headingIs(home, 'Your password is changed');

      await office.reload();
      await headingIs(office, 'Sign in');
      await enter(office, ANN);
      await office.getByText('The e-mail or the password is wrong').waitFor();

      await home.getByRole('link', { name: 'Sign in' }).click();
      await enter(home, { ...ANN, password: NEXT });
      await headingIs(home, 'You are signed in');
      await home.getByText(ANN.email).waitFor();

      await office.goto(link);
      await choose(office, ANN.password);
      await headingIs(office, 'The link is no longer valid');
      expect(mails.mails).toHaveLength(1);
    });
  },
  withMail,
);
