import type { Page } from 'playwright-core';
import { as, codeOf, enableTfa, type Enabled, signIn, wrongCodeOf } from '../../support';
import { TEST_ADMIN } from '../../support';
import { describePages } from './describe-pages';

const headingIs = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor();

async function enter(page: Page, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, text] of Object.entries(fields)) {
    await page.getByLabel(label, { exact: true }).fill(text);
  }
  await page.getByRole('button', { name: 'Sign in' }).click();
}

describePages('sign-in with a second factor', (pages) => {
  let enabled: Enabled;

  beforeAll(async () => {
    const client = as(pages.test, (await signIn(pages.test, TEST_ADMIN)).access_token);
    enabled = await enableTfa(pages.test, client, TEST_ADMIN.password);
  });

  async function comeToCode(): Promise<Page> {
    const { page, context } = await pages.visit();
    await page.goto('/admin/login');
    await enter(page, { 'E-mail': TEST_ADMIN.email, Password: TEST_ADMIN.password });
    await headingIs(page, 'One-time password');
    expect(await context.cookies()).toEqual([]);
    return page;
  }

  it('takes the code that the authenticator shows, and no other', async () => {
    const page = await comeToCode();
    await enter(page, { Code: wrongCodeOf(enabled.secret) });
    await page.getByText('The code is wrong').waitFor();
    await enter(page, { Code: codeOf(enabled.secret) });
    await headingIs(page, 'You are signed in');
  });

  it('takes a recovery code, once', async () => {
    const [code = ''] = enabled.codes;
    const first = await comeToCode();
    await enter(first, { Code: code });
    await headingIs(first, 'You are signed in');
    const page = await comeToCode();
    await enter(page, { Code: code });
    await page.getByText('The code is wrong').waitFor();
  });
});
