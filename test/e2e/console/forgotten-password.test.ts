import type { Page } from 'playwright-core';
import { type MailServer, startMailServer, type TestAppOptions } from '../../support';
import { describePages } from './describe-pages';
import { mailedLink, optionsWithMail } from './mailed-links';
import { adminOf, choosePassword, enter, headingIs } from './people';

const ANN = { email: 'ann@example.com', password: 'three-green-kettles' };
const NEXT = 'four-yellow-teapots';

let mails: MailServer;

async function withMail(): Promise<TestAppOptions> {
  mails = await startMailServer();
  return optionsWithMail(mails);
}

const choose = (page: Page, password: string): Promise<void> =>
  choosePassword(page, password, 'Change the password');

async function askForLink(page: Page, email: string): Promise<void> {
  await page.goto('/admin/login');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('button', { name: 'Send the link' }).click();
  await headingIs(page, 'Look into your mailbox');
}

const LINK = { path: '/admin/reset-password', email: ANN.email };

describePages(
  'a forgotten password',
  (pages) => {
    beforeAll(async () => {
      const admin = await adminOf(pages.test);
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
      const link = await mailedLink(mails, 1, LINK);
      expect(await mails.received(1)).toHaveLength(1);
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
