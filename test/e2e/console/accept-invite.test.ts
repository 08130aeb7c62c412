import {
  type MailServer,
  startMailServer,
  type TestAppOptions,
  type TestClient,
} from '../../support';
import { answer, describePages, failure } from './describe-pages';
import { mailedLink, optionsWithMail } from './mailed-links';
import { adminOf, choosePassword, enter, headingIs, made, referersOf } from './people';

const ANN = { email: 'ann@example.com', password: 'four-yellow-teapots' };
const TOKEN = 'canary-1a2b3c';

let mails: MailServer;

async function withMail(): Promise<TestAppOptions> {
  mails = await startMailServer();
  return optionsWithMail(mails);
}

const LINK = { path: '/admin/accept-invite', email: ANN.email };

describePages(
  'an invitation',
  (pages) => {
    let admin: TestClient;
    beforeAll(async () => {
      admin = await adminOf(pages.test);
      const role = await made(admin, '/roles', { name: 'Readers' });
      for (let mail = 1; mail <= 2; mail += 1) {
        const invited = await admin.post('/users/invite', { email: ANN.email, role });
        expect(invited.status).toBe(204);
        await mails.received(mail);
      }
    });
    afterAll(() => mails.close());

    it('is accepted: mail, page, password, sign-in; an older mail and the used mail no longer work', async () => {
      const { page: home } = await pages.visit();
      await home.goto(await mailedLink(mails, 1, LINK));
      await choosePassword(home, ANN.password, 'Accept');
      await headingIs(home, 'The invitation is no longer valid');

      const link = await mailedLink(mails, 2, LINK);
      await home.goto(link);
      await headingIs(home, 'Accept the invitation');
      await choosePassword(home, 'short', 'Accept');
      await home.getByText(/^The password must have at least 8 characters/).waitFor();
      await choosePassword(home, ANN.password, 'Accept');
      await headingIs(home, 'Welcome');
      await home.getByRole('link', { name: 'Sign in' }).click();
      await enter(home, ANN);
      await headingIs(home, 'You are signed in');
      await home.getByText(ANN.email).waitFor();

      const { page: office } = await pages.visit();
      await office.goto(link);
      await choosePassword(office, 'another-one-of-theirs', 'Accept');
      await headingIs(office, 'The invitation is no longer valid');
      await office.getByRole('link', { name: 'Go to sign-in' }).click();
      await enter(office, ANN);
      await headingIs(office, 'You are signed in');
    });
  },
  withMail,
);

describePages('/admin/accept-invite', (pages) => {
  it('takes the token out of the address and the history, and sends it to the service alone', async () => {
    const visit = await pages.visit();
    const { page, addresses } = visit;
    const referers = referersOf(visit);
    await answer(visit, '/users/invite/accept', 204, '');
    await page.goto(`/admin/accept-invite?token=${TOKEN}&more=1#part`);
    await headingIs(page, 'Accept the invitation');
    expect(page.url()).toBe(`${pages.test.url}/admin/accept-invite?more=1#part`);
    expect(await page.evaluate('JSON.stringify(history.state)')).not.toContain(TOKEN);
    expect(await page.content()).not.toContain(TOKEN);
    const sending = page.waitForRequest(/invite\/accept$/);
    await choosePassword(page, ANN.password, 'Accept');
    expect((await sending).postDataJSON()).toEqual({ token: TOKEN, password: ANN.password });
    await headingIs(page, 'Welcome');
    expect(addresses.filter((address) => address.includes(TOKEN))).toHaveLength(1);
    expect(referers.filter((referer) => referer.includes(TOKEN))).toEqual([]);
    await page.goBack();
    expect(page.url()).not.toContain(TOKEN);
  });

  it('shows the token nowhere, and accepts it once', async () => {
    const visit = await pages.visit();
    const { page } = visit;
    await answer(visit, '/users/invite/accept', 403, failure('INVALID_TOKEN'));
    await page.goto(`/admin/accept-invite?token=${TOKEN}`);
    await choosePassword(page, ANN.password, 'Accept');
    await headingIs(page, 'The invitation is no longer valid');
    await page.getByRole('link', { name: 'Go to sign-in' }).click();
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await headingIs(page, 'Forgot your password?');
    await page.goBack();
    await page.goBack();
    await headingIs(page, 'Open the link of your invitation');
  });

  it.each(['', '?token=', '?status=x'])(
    'explains what is missing without a token: %s',
    async (query) => {
      const { page } = await pages.visit();
      await page.goto(`/admin/accept-invite${query}`);
      await headingIs(page, 'Open the link of your invitation');
      await page.getByRole('link', { name: 'Go to sign-in' }).click();
      await headingIs(page, 'Sign in');
    },
  );

  it('compares the two passwords before it sends one', async () => {
    const { page, addresses } = await pages.visit();
    await page.goto(`/admin/accept-invite?token=${TOKEN}`);
    await choosePassword(page, '', 'Accept');
    await page.getByText('Enter a new password.').waitFor();
    await page.getByLabel('New password', { exact: true }).fill(ANN.password);
    await page.getByRole('button', { name: 'Accept' }).click();
    await page.getByText('The two passwords are not the same.').waitFor();
    expect(addresses.filter((address) => address.endsWith('/accept'))).toEqual([]);
  });

  it.each<[number, unknown, RegExp]>([
    [400, failure('FAILED_VALIDATION', { field: 'password', type: 'common' }), /most used ones/],
    [400, failure('FAILED_VALIDATION', { field: 'password', type: 'regex' }), /rules of this/],
    [429, failure('REQUESTS_EXCEEDED'), /Too many attempts/],
    [503, failure('SERVICE_UNAVAILABLE'), /too busy/],
    [500, failure('INTERNAL_SERVER_ERROR'), /Something went wrong/],
  ])('explains why it is not accepted, and keeps the token: %d', async (status, body, words) => {
    const visit = await pages.visit();
    const { page } = visit;
    await answer(visit, '/users/invite/accept', status, body);
    await page.goto(`/admin/accept-invite?token=${TOKEN}`);
    await choosePassword(page, ANN.password, 'Accept');
    await page.getByText(words).waitFor();
    await answer(visit, '/users/invite/accept', 204, '');
    await page.getByRole('button', { name: 'Accept' }).click();
    await headingIs(page, 'Welcome');
  });
});
