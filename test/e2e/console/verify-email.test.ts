import { as, type MailServer, startMailServer, type TestAppOptions } from '../../support';
import { answer, describePages, failure } from './describe-pages';
import { mailedLink, optionsWithMail } from './mailed-links';
import { adminOf, enter, headingIs, referersOf } from './people';

const ANN = { email: 'ann@example.com', password: 'four-yellow-teapots' };

let mails: MailServer;

async function withMail(): Promise<TestAppOptions> {
  mails = await startMailServer();
  return optionsWithMail(mails);
}

const LINK = { path: '/users/register/verify-email', email: ANN.email };

describePages(
  'a registration',
  (pages) => {
    beforeAll(async () => {
      const admin = await adminOf(pages.test);
      const settings = { public_registration: true };
      expect((await admin.patch('/settings', settings)).status).toBe(200);
      expect((await as(pages.test).post('/register', ANN)).status).toBe(204);
      await mails.received(1);
    });
    afterAll(() => mails.close());

    it('is verified: mail, another mail, link, page, sign-in; the link works once', async () => {
      const visit = await pages.visit();
      const { page } = visit;
      const referers = referersOf(visit);
      await page.goto('/users/register/verify-email?token=nonsense');
      await headingIs(page, 'The link is no longer valid');
      await page.getByLabel('E-mail').fill(ANN.email);
      await page.getByRole('button', { name: 'Send the link' }).click();
      await headingIs(page, 'Look into your mailbox');
      const link = await mailedLink(mails, 2, LINK);

      await page.goto(link);
      await headingIs(page, 'Your e-mail address is verified');
      expect(page.url()).toBe(`${pages.test.url}/admin/verify-email?status=verified`);
      expect(referers.filter((referer) => referer.includes('token'))).toEqual([]);
      await page.getByRole('link', { name: 'Sign in' }).click();
      await enter(page, ANN);
      await headingIs(page, 'You are signed in');
      await page.getByText(ANN.email).waitFor();

      for (const spent of [link, await mailedLink(mails, 1, LINK)]) {
        await page.goto(spent);
        await headingIs(page, 'The link is no longer valid');
        expect(page.url()).toBe(`${pages.test.url}/admin/verify-email?status=invalid`);
      }
    });
  },
  withMail,
);

describePages('/admin/verify-email', (pages) => {
  it.each(['', '?status=', '?status=x', '?status=verified&status=x', '?status=%3Cb%3E'])(
    'offers a new link if the address does not say whether the old one worked: %s',
    async (query) => {
      const visit = await pages.visit();
      const { page } = visit;
      await page.goto(`/admin/verify-email${query}`);
      await headingIs(page, 'Verify your e-mail address');
      await page.getByRole('link', { name: 'Back to sign-in' }).click();
      await headingIs(page, 'Sign in');
    },
  );

  it('answers the same for any address, and explains why no mail was requested', async () => {
    const visit = await pages.visit();
    const { page } = visit;
    await page.goto('/admin/verify-email?status=invalid');
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByText('Enter your e-mail address.').waitFor();
    await page.getByLabel('E-mail').fill(' nobody@example.com ');
    await answer(visit, '/users/register/resend', 429, failure('REQUESTS_EXCEEDED'));
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByRole('alert').getByText('Too many attempts').waitFor();
    await page.unroute('**/users/register/resend');
    const sending = page.waitForRequest(/register\/resend$/);
    await page.keyboard.press('Enter');
    expect((await sending).postDataJSON()).toEqual({ email: 'nobody@example.com' });
    await headingIs(page, 'Look into your mailbox');
    await page.getByText('If a registration waits').waitFor();
  });
});
