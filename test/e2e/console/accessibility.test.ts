import { source as axe } from 'axe-core';
import type { Page } from 'playwright-core';
import { TEST_ADMIN } from '../../support';
import type { Visit } from '../../support/chromium';
import { answer, failure, describePages } from './describe-pages';
import { choosePassword as fillPasswords, signInto } from './people';

const press = (page: Page, name: string) => page.getByRole('button', { name }).click();
const headingIs = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor();

async function signIn(page: Page): Promise<void> {
  await page.goto('/admin/login');
  await page.getByLabel('E-mail').fill(TEST_ADMIN.email);
  await page.getByLabel('Password', { exact: true }).fill(TEST_ADMIN.password);
  await press(page, 'Sign in');
}

const NEW_PASSWORD = 'three-green-kettles';

async function choosePassword(page: Page): Promise<void> {
  await page.goto('/admin/reset-password?token=x');
  await fillPasswords(page, NEW_PASSWORD, 'Change the password');
}

async function acceptInvitation(page: Page): Promise<void> {
  await page.goto('/admin/accept-invite?token=x');
  await fillPasswords(page, NEW_PASSWORD, 'Accept');
}

async function openUsers(visit: Visit, path: string): Promise<void> {
  await signInto(visit);
  await visit.page.goto(path);
  await headingIs(visit.page, 'Users');
}

/** Every state of every page, and how to reach it. */
const STATES: Readonly<Record<string, (visit: Visit) => Promise<void>>> = {
  'sign-in': async ({ page }) => {
    await page.goto('/admin/login');
    await headingIs(page, 'Sign in');
  },
  'sign-in with providers': async (visit) => {
    const label = 'A company with quite a long name of its own, and Partners';
    await answer(visit, '/auth?sessionOnly=true', 200, { data: [{ name: 'acme', label }] });
    await visit.page.goto('/admin/login');
    await visit.page.getByRole('link', { name: label }).waitFor();
  },
  'nothing filled in': async ({ page }) => {
    await page.goto('/admin/login');
    await press(page, 'Sign in');
    await page.getByText('Enter your password.').waitFor();
  },
  'refused sign-in': async (visit) => {
    await answer(visit, '/auth/login', 401, failure('INVALID_CREDENTIALS'));
    await signIn(visit.page);
    await visit.page.getByText('is wrong').waitFor();
  },
  'wrong code': async (visit) => {
    await answer(visit, '/auth/login', 401, failure('INVALID_OTP'));
    await signIn(visit.page);
    await visit.page.getByLabel('Code').fill('123456');
    await press(visit.page, 'Sign in');
    await visit.page.getByText('The code is wrong').waitFor();
  },
  'signed in': async ({ page }) => {
    await signIn(page);
    await headingIs(page, 'You are signed in');
  },
  'forgotten password': async ({ page }) => {
    await page.goto('/admin/reset-password');
    await headingIs(page, 'Forgot your password?');
  },
  'mail asked for': async (visit) => {
    await answer(visit, '/auth/password/request', 204, '');
    await visit.page.goto('/admin/reset-password');
    await visit.page.getByLabel('E-mail').fill('ann@example.com');
    await press(visit.page, 'Send the link');
    await headingIs(visit.page, 'Look into your mailbox');
  },
  'weak new password': async (visit) => {
    const refusal = failure('FAILED_VALIDATION', {
      field: 'password',
      type: 'min_length',
      valid: 8,
    });
    await answer(visit, '/auth/password/reset', 400, refusal);
    await choosePassword(visit.page);
    await visit.page.getByText('Use at least 8').waitFor();
  },
  'spent link': async (visit) => {
    await answer(visit, '/auth/password/reset', 403, failure('INVALID_TOKEN'));
    await choosePassword(visit.page);
    await headingIs(visit.page, 'The link is no longer valid');
  },
  'changed password': async (visit) => {
    await answer(visit, '/auth/password/reset', 204, '');
    await choosePassword(visit.page);
    await headingIs(visit.page, 'Your password is changed');
  },
  invitation: async ({ page }) => {
    await page.goto('/admin/accept-invite?token=x');
    await headingIs(page, 'Accept the invitation');
  },
  'accepted invitation': async (visit) => {
    await answer(visit, '/users/invite/accept', 204, '');
    await acceptInvitation(visit.page);
    await headingIs(visit.page, 'Welcome');
  },
  'spent invitation': async (visit) => {
    await answer(visit, '/users/invite/accept', 403, failure('INVALID_TOKEN'));
    await acceptInvitation(visit.page);
    await headingIs(visit.page, 'The invitation is no longer valid');
  },
  'no invitation': async ({ page }) => {
    await page.goto('/admin/accept-invite');
    await headingIs(page, 'Open the link of your invitation');
  },
  'verified address': async ({ page }) => {
    await page.goto('/admin/verify-email?status=verified');
    await headingIs(page, 'Your e-mail address is verified');
  },
  'spent link of a registration': async ({ page }) => {
    await page.goto('/admin/verify-email?status=invalid');
    await headingIs(page, 'The link is no longer valid');
  },
  users: async (visit) => {
    const role = { name: 'Editors of a magazine with quite a long name' };
    const email = 'somebody.with.a.long.address.of.their.own@department.example.com';
    const moments = { date_created: '2026-01-01T00:00:00Z', last_access: '2026-01-02T00:00:00Z' };
    const data = ['active', 'draft', 'suspended'].map((status) => ({
      ...{ id: status, email, first_name: 'Ann', last_name: 'Low', status, role, ...moments },
    }));
    await answer(visit, '/users?fields=id%2Cemail%2C**', 200, { data, meta: { filter_count: 80 } });
    await openUsers(visit, '/admin/users?page=2');
    await visit.page.getByRole('status').getByText('80 users, page 2 of 4').waitFor();
  },
  'no user found': async (visit) => {
    await openUsers(visit, '/admin/users?search=nobody-at-all');
    await visit.page.getByText('No user was found.').waitFor();
  },
  'users that cannot be loaded': async (visit) => {
    await answer(visit, '/users?fields=id%2Cemail%2C**', 503, failure('SERVICE_UNAVAILABLE'));
    await openUsers(visit, '/admin/users');
    await visit.page.getByText('too busy').waitFor();
  },
  'users that the person may not see': async (visit) => {
    await answer(visit, '/permissions/me', 200, { data: {} });
    await openUsers(visit, '/admin/users');
    await visit.page.getByText('You may not see the users').waitFor();
  },
  'new user, refused': async (visit) => {
    await openUsers(visit, '/admin/users');
    await visit.page.getByRole('link', { name: 'Create a user' }).click();
    await visit.page.getByLabel('E-mail').fill('nobody');
    await press(visit.page, 'Create the user');
    await visit.page.getByText('This is not an e-mail address.').waitFor();
  },
  'created user': async (visit) => {
    await openUsers(visit, '/admin/users');
    await visit.page.getByRole('link', { name: 'Create a user' }).click();
    await visit.page.route(/\/users$/, (route) =>
      route.fulfill({ contentType: 'application/json', body: '{"data":{}}' }),
    );
    await visit.page.getByLabel('E-mail').fill('ann@example.com');
    await press(visit.page, 'Create the user');
    await headingIs(visit.page, 'The user is created');
  },
  'no right to create users': async (visit) => {
    await answer(visit, '/permissions/me', 200, { data: {} });
    await signInto(visit);
    await visit.page.goto('/admin/users/new');
    await visit.page.getByText('You may not create users.').waitFor();
  },
  'not found': async ({ page }) => {
    await page.goto('/admin/nothing');
    await headingIs(page, 'Page not found');
  },
};

interface Finding {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** What axe finds of WCAG 2.2 A and AA and of its best practices: `rule: element: why`. */
async function findingsOf(page: Page): Promise<string[]> {
  // Evaluated as by a debugger, since the page's policy allows no other scripts.
  await page.evaluate(axe);
  const violations = await page.evaluate<Finding[]>(
    'axe.run().then((result) => result.violations)',
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}: ${failureSummary ?? ''}`),
  );
}

/** By how many pixels the page is wider than the window. */
const overhangOf = (page: Page): Promise<number> =>
  page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );

describePages('every state of every page', (pages) => {
  it.each(Object.keys(STATES))(
    'is accessible, light and dark, and fits 320 px: %s',
    async (name) => {
      const visit = await pages.visit({
        viewport: { width: 320, height: 480 },
        reducedMotion: 'reduce',
      });
      await STATES[name]?.(visit);
      for (const colorScheme of ['light', 'dark'] as const) {
        await visit.page.emulateMedia({ colorScheme });
        expect(await findingsOf(visit.page)).toEqual([]);
      }
      expect(await overhangOf(visit.page)).toBe(0);
      await visit.page.setViewportSize({ width: 1280, height: 800 });
      expect(await overhangOf(visit.page)).toBe(0);
      const moving = await visit.page.evaluate('document.getAnimations().length');
      expect(moving).toBe(0);
    },
  );
});
