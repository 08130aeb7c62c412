import { source as axe } from 'axe-core';
import type { Page } from 'playwright-core';
import { TEST_ADMIN } from '../../support';
import type { Visit } from '../../support/chromium';
import { answer, failure, describePages } from './describe-pages';

const press = (page: Page, name: string) => page.getByRole('button', { name }).click();
const headingIs = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor();

async function signIn(page: Page): Promise<void> {
  await page.goto('/admin/login');
  await page.getByLabel('E-mail').fill(TEST_ADMIN.email);
  await page.getByLabel('Password', { exact: true }).fill(TEST_ADMIN.password);
  await press(page, 'Sign in');
}

async function choosePassword(page: Page): Promise<void> {
  await page.goto('/admin/reset-password?token=x');
  for (const label of ['New password', 'New password again']) {
    await page.getByLabel(label, { exact: true }).fill('three-green-kettles');
  }
  await press(page, 'Change the password');
}

/** Every state of every page, and how to come there. */
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
  // As a debugger does: the page's own policy lets nobody in.
  await page.evaluate(axe);
  const violations = await page.evaluate<Finding[]>(
    'axe.run().then((result) => result.violations)',
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}: ${failureSummary ?? ''}`),
  );
}

/** By how much the page is wider than the window. */
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
