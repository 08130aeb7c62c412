import type { Page } from 'playwright-core';
import { as, signIn, TEST_ADMIN, type TestApp, type TestClient } from '../../support';
import type { Visit } from '../../support/chromium';
import type { Pages } from './describe-pages';

export interface Person {
  readonly email: string;
  readonly password: string;
}

/** A name with markup that browsers must not execute. */
export const MARKUP = '<img src=x onerror="document.title=1"><script>document.title=2</script>';

export const headingIs = (page: Page, name: string): Promise<void> =>
  page.getByRole('heading', { name, exact: true }).waitFor();

export const adminOf = async (test: TestApp): Promise<TestClient> =>
  as(test, (await signIn(test, TEST_ADMIN)).access_token);

/** Creates an item; fails the test if that fails. */
export async function made(admin: TestClient, path: string, values: object): Promise<string> {
  const { status, data } = await admin.post(path, values);
  expect([path, status]).toEqual([path, 200]);
  return String(data['id']);
}

interface PolicyOf {
  readonly rules?: readonly object[];
  readonly app_access?: boolean;
  readonly enforce_tfa?: boolean;
}

/** Creates a user with a policy of their own that has these rules. */
export async function makePerson(
  admin: TestClient,
  name: string,
  { rules = [], ...policy }: PolicyOf,
): Promise<Person> {
  const person = { email: `${name}@example.org`, password: 'three-green-kettles' };
  const id = await made(admin, '/policies', { name, ...policy });
  for (const rule of rules) await made(admin, '/permissions', { ...rule, policy: id });
  const user = await made(admin, '/users', person);
  await made(admin, '/access', { user, policy: id });
  return person;
}

/** Fills in the sign-in page. */
export async function enter(page: Page, { email, password }: Person = TEST_ADMIN): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Signs in as the page does, without the page: `sign-in.test.ts` shows that the page works. */
export async function signInto(
  { context }: Pick<Visit, 'context'>,
  { email, password }: Person = TEST_ADMIN,
): Promise<void> {
  const data = { email, password, mode: 'session' };
  const answer = await context.request.post('/auth/login', { data });
  expect([email, answer.status()]).toEqual([email, 200]);
}

/** A browser in which the person has signed in, with no page open yet. */
export async function visitAs(pages: Pages, person?: Person): Promise<Visit> {
  const visit = await pages.visit();
  await signInto(visit, person);
  return visit;
}

/** Opens the page that is shown after a sign-in. */
export async function openHome({ page }: Pick<Visit, 'page'>): Promise<void> {
  await page.goto('/admin');
  await headingIs(page, 'You are signed in');
}

/** Fills in and sends the form of `ChoosePassword`. */
export async function choosePassword(page: Page, password: string, button: string): Promise<void> {
  for (const label of ['New password', 'New password again']) {
    await page.getByLabel(label, { exact: true }).fill(password);
  }
  await page.getByRole('button', { name: button }).click();
}

/** The `Referer` headers of all requests from now on. */
export function referersOf({ context }: Visit): string[] {
  const referers: string[] = [];
  context.on('request', (request) => {
    const { referer } = request.headers();
    if (referer !== undefined) referers.push(referer);
  });
  return referers;
}
