/* Takes the pictures for the README from a service that it starts: docs/playground.png and docs/docs.png. */
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { startTestApp, TEST_ADMIN, type TestApp } from '../../src/testing';
import { SampleModule } from '../sample-extension/sample.module';
import { launchBrowser } from '../support/chromium';

const FOLDER = join(__dirname, '../../docs');
const SIZE = { width: 1160, height: 720 };
const QUERY = `# Who may do what?
query ListRules {
  permissions(sort: ["id"]) {
    collection
    action
    permissions
    fields
    policy { name }
  }
}
`;

const RULES = [
  {
    policy: { name: 'Own account' },
    ...{ collection: 'service_users', action: 'read', fields: ['email', 'first_name'] },
    permissions: { id: { _eq: '$CURRENT_USER' } },
  },
  {
    policy: { name: 'Readers' },
    ...{ collection: 'articles', action: 'read', fields: ['title', 'status'] },
    permissions: { status: { _eq: 'published' } },
  },
];

async function main(): Promise<void> {
  const test = await startTestApp({ imports: [SampleModule] });
  const browser = await launchBrowser();
  try {
    await makeRules(test);
    await takePicture(browser, test, 'playground', playground);
    await takePicture(browser, test, 'docs', docs);
  } finally {
    await browser.close();
    await test.close();
  }
}

async function makeRules({ url }: TestApp): Promise<void> {
  const post = async (path: string, body: unknown, token?: string): Promise<Tokens> => {
    const headers = {
      'Content-Type': 'application/json',
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    };
    const reply = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!reply.ok) throw new Error(await reply.text());
    return (await reply.json()) as Tokens;
  };
  const { data } = await post('/auth/login', TEST_ADMIN);
  await post('/permissions', RULES, data.access_token);
}

interface Tokens {
  readonly data: { readonly access_token: string };
}

async function takePicture(
  browser: Browser,
  { url }: TestApp,
  name: string,
  bring: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({ baseURL: url, viewport: SIZE });
  const page = await context.newPage();
  await bring(page);
  await page.screenshot({ path: join(FOLDER, `${name}.png`), animations: 'disabled' });
  await context.close();
}

async function playground(page: Page): Promise<void> {
  await page.goto('/graphql/system');
  await page.getByRole('button', { name: 'Show Sign in' }).click();
  await page.getByLabel('E-mail').fill(TEST_ADMIN.email);
  await page.getByLabel('Password', { exact: true }).fill(TEST_ADMIN.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  await page.locator('.graphiql-query-editor .CodeMirror').click();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(QUERY);
  await page.keyboard.press('Control+Enter');
  await page.locator('.result-window').getByText('"Readers"').waitFor();
}

async function docs(page: Page): Promise<void> {
  await page.goto('/docs');
  await page.click('#operations-tag-auth');
  const login = page.locator('#operations-auth-post_auth_login');
  await login.locator('.opblock-summary').click();
  await login.locator('.try-out__btn').click();
  await login.locator('textarea').fill(JSON.stringify(TEST_ADMIN));
  await login.locator('.execute').click();
  await page.locator('#operations-tag-articles').waitFor();
  await page.click('#operations-tag-auth');
  await page.click('#operations-tag-articles');
  const list = page.locator('#operations-articles-get_items_articles');
  await list.scrollIntoViewIfNeeded();
  await page.locator('#operations-tag-articles').evaluate((tag) => tag.scrollIntoView());
}

void main();
